"""Order 1 on a phylogeny is the weighted UniFrac of ecologists: against scikit-bio."""

from time import process_time

import numpy as np
from skbio import TreeNode
from skbio.diversity import beta_diversity

from papershelf.benchmarking import Show, duration, interleave, ratio
from sobolev_ipm import SobolevIPM

TIPS, SAMPLES = 2000, 100


def phylogeny() -> tuple[TreeNode, list[list[int]], list[float]]:
    """A random tree: two random lineages meet until one is left. Nodes below TIPS are tips."""
    rng = np.random.default_rng(0)
    lineages = [TreeNode(name=str(tip)) for tip in range(TIPS)]
    edges, lengths = [], []
    for number in range(TIPS, 2 * TIPS - 1):
        chosen = sorted(rng.choice(len(lineages), 2, replace=False), reverse=True)
        children = [lineages.pop(place) for place in chosen]
        for child in children:
            child.length = rng.exponential()
            edges.append([number, int(child.name)])
            lengths.append(child.length)
        lineages.append(TreeNode(name=str(number), children=children))
    return lineages[0], edges, lengths


def test_weighted_unifrac(show: Show) -> None:
    tree, edges, lengths = phylogeny()
    rng = np.random.default_rng(1)
    # A twentieth of the taxa in each sample.
    counts = rng.geometric(0.05, size=(SAMPLES, TIPS)) * (rng.random((SAMPLES, TIPS)) < 0.05)
    X = np.zeros((SAMPLES, 2 * TIPS - 1))
    X[:, :TIPS] = counts
    taxa = [str(tip) for tip in range(TIPS)]
    root = int(tree.name)

    def ours() -> np.ndarray:
        return SobolevIPM((edges, lengths), p=1, root=root).fit().pairwise(X)

    def theirs() -> np.ndarray:
        return beta_diversity("weighted_unifrac", counts, taxa=taxa, tree=tree, validate=False).data

    np.testing.assert_allclose(ours(), theirs(), rtol=1e-9, atol=1e-9)
    times = interleave({"ours, with fit": ours, "scikit-bio": theirs}, clock=process_time)
    show(
        f"Weighted UniFrac: {SAMPLES} samples, {TIPS} tips",
        ["", "ms", "/ ours"],
        [
            [name, duration(times, name, 1e-3), ratio(times, name, "ours, with fit")]
            for name in times
        ],
    )
