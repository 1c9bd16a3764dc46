"""Sphinx configuration: discovers the members, writes their pages, builds without a network."""

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import _catalogue
import _pages
from docutils import nodes
from sphinx import addnodes
from sphinx.errors import ConfigError

if stale := _catalogue.stale_files():
    names = " and ".join(path.name for path in stale)
    raise ConfigError(f"{names} must be current: run python docs/_catalogue.py --readme")

distributions = _pages.write_pages()

project = "papershelf"
author = "The papershelf developers"
project_copyright = author

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "sphinx-mathjax-offline",
]
exclude_patterns = ["_build", "_generated/**/examples"]
templates_path = ["_templates"]

myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

autosummary_generate = True
autodoc_typehints = "none"  # The numpydoc sections say it, with shapes and units.
numpydoc_show_class_members = False

copybutton_exclude = ".linenos, .gp, .go"

galleries = [item for item in distributions if _pages.staged_examples(item).exists()]
sphinx_gallery_conf = {
    "examples_dirs": [str(_pages.staged_examples(item)) for item in galleries],
    "gallery_dirs": [f"gallery/{item.name}" for item in galleries],
    "backreferences_dir": "gallery/backreferences",
    "doc_module": tuple(item.import_name for item in distributions),
    "download_all_examples": False,
    "remove_config_comments": True,
    "show_signature": False,
    "write_computation_times": False,
}

html_theme = "furo"
html_title = "papershelf"
html_logo = html_favicon = "_static/logo.svg"
html_static_path = ["_static"]
html_css_files = ["papershelf.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#0b6a63",
        "color-brand-content": "#0b6a63",
        "color-brand-visited": "#5a4b86",
    },
    "dark_css_variables": {
        "color-brand-primary": "#63cbbf",
        "color-brand-content": "#63cbbf",
        "color-brand-visited": "#b9a6ec",
    },
}


def skip_foreign_members(
    _app: Any, _what: str, _name: str, obj: object, _skip: bool, _options: Any
) -> bool | None:
    """Leave out what another library put into a class; None leaves the choice to autodoc."""
    module = getattr(obj, "__module__", None) or ""
    ours = {item.import_name for item in distributions}
    foreign = bool(module) and module.partition(".")[0] not in ours
    # The fields of a named tuple are told in its "Attributes" section.
    return True if foreign or type(obj).__name__ == "_tuplegetter" else None


def unlink_repository_files(_app: Any, doctree: nodes.document) -> None:
    """Keep the text alone of links to files of the repository: the pages do not carry them."""
    for link in list(doctree.findall(addnodes.pending_xref)):
        target = link["reftarget"].partition("#")[0]
        if link["reftype"] == "myst" and target:
            included_from = Path(str(link.source)).parent
            if (included_from / target).exists():
                link.replace_self(link.children)


def setup(app: Any) -> None:
    """Connect the event handlers."""
    app.connect("autodoc-skip-member", skip_foreign_members)
    app.connect("doctree-read", unlink_repository_files)
