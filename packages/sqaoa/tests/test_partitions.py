"""The objective in its equivalent forms, on partitions however they are named."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqaoa._partitions import (
    agreement,
    canonical_labels,
    disagreement,
    inner_weight,
    read_labels,
)

from . import oracle
from .instances import CASES, KINDS, TRIANGLE, close, random_weights

FORMS = {"agreement": agreement, "disagreement": disagreement, "inner_weight": inner_weight}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("case", CASES["agreement"], ids=lambda case: f"{case['labels']}")
def test_golden(case, form):
    value = FORMS[form](case["weights"], case["labels"])
    assert close(value, case[form], case["weights"])


@st.composite
def partitioned_graphs(draw):
    n, seed = draw(st.integers(1, 9)), draw(st.integers(0, 2**32 - 1))
    weights = random_weights(n, draw(st.sampled_from(KINDS)), draw(st.floats(0, 1)), seed)
    return weights, draw(st.lists(st.integers(-2, 3), min_size=n, max_size=n))


@given(partitioned_graphs())
def test_agreement_is_the_definition(case):
    weights, labels = case
    assert close(agreement(weights, labels), oracle.agreement(weights, labels), weights)


@given(partitioned_graphs())
def test_agreement_and_disagreement_add_up(case):
    weights, labels = case
    total = np.abs(np.triu(weights)).sum()
    assert close(agreement(weights, labels) + disagreement(weights, labels), total, weights)


@given(partitioned_graphs())
def test_agreement_is_inner_weight_and_all_negative_edges(case):
    weights, labels = case
    negative = -np.minimum(np.triu(weights), 0.0).sum()
    assert close(agreement(weights, labels), inner_weight(weights, labels) + negative, weights)


@given(st.lists(st.integers(-5, 5), min_size=1))
def test_canonical_labels(labels):
    assert tuple(canonical_labels(labels)) == oracle.canonical(labels)


@pytest.mark.parametrize(
    "labels",
    [
        [4, 4, 9],
        (4, 4, 9),
        np.array([1, 1, 0], dtype=np.uint8),
        np.array([True, True, False]),
        ["us", "us", "them"],
    ],
    ids=["list", "tuple", "uint8", "bools", "strings"],
)
def test_forms_of_labels(labels):
    np.testing.assert_array_equal(read_labels(labels, 3), [0, 0, 1])
    assert read_labels(labels, 3).dtype == np.int64


def test_labels_are_a_new_array():
    labels = np.array([0, 1])
    assert not np.shares_memory(read_labels(labels, 2), labels)


def test_small_disagreement_beside_large_weights():
    assert disagreement([[0, 1e17, 0], [1e17, 0, 1], [0, 1, 0]], [0, 0, 1]) == 1.0


BAD_LABELS = {
    "too-few": ([0, 1], ValueError, r"`labels` must hold 3 labels, one a node, got shape \(2,\)"),
    "too-many": ([0, 1, 2, 3], ValueError, r"shape \(4,\)"),
    "two-dimensional": ([[0, 1, 2]], ValueError, r"shape \(1, 3\)"),
    "ragged": ([[0], [1, 2], [3]], ValueError, "`labels`.*nested"),
    "a-number": (0, ValueError, r"`labels`.*shape \(\)"),
    "a-set": ({0, 1, 2}, ValueError, r"`labels`.*shape \(\)"),
    "floats": ([0.0, 1.0, 2.0], TypeError, "`labels` must be integers or strings, got dtype float"),
    "nothing": ([None, 1, 2], TypeError, "`labels`.*object"),
}


@pytest.mark.parametrize(("labels", "exception", "message"), BAD_LABELS.values(), ids=BAD_LABELS)
@pytest.mark.parametrize("form", FORMS)
def test_bad_labels(form, labels, exception, message):
    with pytest.raises(exception, match=message):
        FORMS[form](TRIANGLE, labels)


@pytest.mark.parametrize("form", FORMS)
def test_bad_graph(form):
    with pytest.raises(ValueError, match="`X` must be square"):
        FORMS[form](np.zeros((3, 2)), [0, 1, 2])
