"""Polygons as others write them: shapely, geopandas, GeoJSON, or plain dictionaries."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from papershelf.validation import as_float_array

from ._legendre import Floats

MEMBERS = {"FeatureCollection": "features", "GeometryCollection": "geometries"}


def is_geometry(domain: Any) -> bool:
    """Whether `domain` is, or is a sequence of, objects or dictionaries that describe shapes."""
    if isinstance(domain, list | tuple) and len(domain):
        domain = domain[0]
    return isinstance(domain, Mapping) or hasattr(domain, "__geo_interface__")


def read_polygons(domain: Any) -> list[list[Floats]]:
    """Return the polygons in `domain`, each a list of its exterior and its holes.

    A ring has shape (n, 2): the last vertex is not the first again, and heights are dropped.
    """
    polygons = [
        [_ring(ring, f"polygon {i}, ring {j}") for j, ring in enumerate(rings)]
        for i, rings in enumerate(_rings(domain))
    ]
    if not polygons:
        raise ValueError("`domain` must have at least one polygon, got none")
    return polygons


def _rings(shape: Any) -> Iterator[list[Any]]:
    """The polygons within a shape, as lists of rings."""
    if hasattr(shape, "__geo_interface__"):
        shape = shape.__geo_interface__
    if isinstance(shape, list | tuple):
        for part in shape:
            yield from _rings(part)
        return
    if not isinstance(shape, Mapping):
        raise TypeError(f"`domain` must consist of polygons, got a {type(shape).__name__}")
    kind = shape.get("type")
    if "exterior" in shape:
        yield [shape["exterior"], *(shape.get("holes") or ())]
    elif kind in MEMBERS:
        yield from _rings(list(shape.get(MEMBERS[kind], ())))
    elif kind == "Feature":
        yield from _rings(shape.get("geometry"))
    elif kind == "Polygon":
        if len(shape.get("coordinates", ())):
            yield list(shape["coordinates"])
    elif kind == "MultiPolygon":
        yield from map(list, shape.get("coordinates", ()))
    else:
        wanted = "polygons, as GeoJSON or with an 'exterior' and 'holes'"
        found = kind if kind is not None else f"keys {sorted(map(str, shape))}"
        raise ValueError(f"`domain` must consist of {wanted}, got {found}")


def _ring(ring: Sequence[Any], place: str) -> Floats:
    vertices = as_float_array(ring, "domain", copy=True)
    if vertices.ndim != 2 or vertices.shape[1] not in (2, 3):
        raise ValueError(
            f"`domain` must have rings of shape (n, 2), got {vertices.shape} ({place})"
        )
    vertices = vertices[:, :2]
    if len(vertices) > 1 and (vertices[0] == vertices[-1]).all():
        vertices = vertices[:-1]
    if len(vertices) < 3:
        raise ValueError(
            f"`domain` must have rings of at least 3 vertices, got {len(vertices)} ({place})"
        )
    return vertices
