"""Generators from seeds, and independent streams for parallel work."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from papershelf.random import as_generator, spawn


def draw(generator: np.random.Generator) -> list[int]:
    return generator.integers(2**32, size=4).tolist()


@given(st.integers(0, 2**128))
@settings(deadline=None)
def test_seed_gives_numpys_default_stream(seed):
    assert draw(as_generator(seed)) == draw(np.random.default_rng(seed))


@pytest.mark.parametrize(
    "seed", [np.int64(7), np.uint8(7), np.random.SeedSequence(7)], ids=lambda s: type(s).__name__
)
def test_other_seeds_give_the_same_stream_as_an_int(seed):
    assert draw(as_generator(seed)) == draw(as_generator(7))


def test_generator_comes_back_itself():
    generator = np.random.Generator(np.random.Philox(0))
    assert as_generator(generator) is generator


def test_none_gives_a_different_stream_each_time():
    assert draw(as_generator()) != draw(as_generator(None))


def test_global_state_stays_untouched():
    before = np.random.get_state()[1].tolist()  # noqa: NPY002
    for random_state in (None, 0, np.random.SeedSequence(0)):
        spawn(as_generator(random_state), 2)
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        pytest.param(True, "True", id="bool"),
        pytest.param(np.False_, "", id="numpy bool"),
        pytest.param(1.0, "1.0", id="float"),
        pytest.param("1", "'1'", id="string"),
        pytest.param([1, 2], r"\[1, 2\]", id="list"),
        pytest.param(np.random.RandomState(0), "RandomState", id="RandomState"),
        pytest.param(np.random.PCG64(0), "<numpy.random", id="bit generator"),
        pytest.param(np.random, "<module", id="module"),
    ],
)
def test_anything_else_is_a_type_error(value, shown):
    wanted = "an int, a SeedSequence, a Generator or None"
    with pytest.raises(TypeError, match=f"^`random_state` must be {wanted}, got {shown}"):
        as_generator(value)


def test_negative_seed_is_a_value_error():
    with pytest.raises(ValueError, match=r"^`random_state` must be at least 0, got -1$"):
        as_generator(-1)


def test_spawned_streams_are_all_different():
    parent = as_generator(0)
    streams = [draw(generator) for generator in [*spawn(parent, 3), *spawn(parent, 3), parent]]
    assert len(set(map(tuple, streams))) == 7


def test_spawned_streams_depend_on_the_seed_alone():
    assert list(map(draw, spawn(as_generator(0), 3))) == list(map(draw, spawn(as_generator(0), 3)))


def test_spawned_streams_do_not_depend_on_how_many_there_are():
    few, many = spawn(as_generator(0), 2), spawn(as_generator(0), 5)
    assert list(map(draw, few)) == list(map(draw, many[:2]))


def test_spawning_does_not_draw_from_the_parent():
    parent = as_generator(0)
    spawn(parent, 3)
    assert draw(parent) == draw(as_generator(0))


def test_spawning_none_gives_an_empty_list():
    assert spawn(as_generator(0), 0) == []


@pytest.mark.parametrize(
    ("rng", "n", "error", "message"),
    [
        (0, 2, TypeError, r"`rng` must be a numpy\.random\.Generator, got 0"),
        (None, 2, TypeError, r"`rng` must be a numpy\.random\.Generator, got None"),
        (np.random.default_rng(0), -1, ValueError, "`n` must be at least 0, got -1"),
        (np.random.default_rng(0), 2.0, TypeError, r"`n` must be an integer, got 2\.0"),
    ],
    ids=["seed", "None", "negative", "float"],
)
def test_bad_arguments_of_spawn(rng, n, error, message):
    with pytest.raises(error, match=f"^{message}$"):
        spawn(rng, n)
