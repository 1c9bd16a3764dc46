"""Timing in rounds, on a clock that only the contenders move."""

from contextlib import contextmanager

import numpy as np
import pytest

from papershelf.benchmarking import (
    duration,
    environment,
    interleave,
    ratio,
    rounded,
    show_past,
    table,
)


class Clock:
    """Stands still until something takes its time."""

    def __init__(self):
        self.now, self.calls = 0.0, []

    def __call__(self):
        return self.now

    def takes(self, name, seconds):
        def run():
            self.now += seconds
            self.calls.append(name)

        return run


@pytest.fixture
def clock():
    return Clock()


def test_every_round_goes_through_all(clock):
    contenders = {"a": clock.takes("a", 1.0), "b": clock.takes("b", 3.0)}
    times = interleave(contenders, rounds=2, clock=clock)
    assert clock.calls == ["a", "b"] * 3  # the first time to warm up
    np.testing.assert_array_equal(times["a"], [1.0, 1.0])
    np.testing.assert_array_equal(times["b"], [3.0, 3.0])


def test_without_warming_up(clock):
    interleave({"a": clock.takes("a", 1.0)}, rounds=2, clock=clock, warm_up=False)
    assert clock.calls == ["a"] * 2


def test_short_calls_are_repeated_and_times_are_per_call(clock):
    contenders = {"short": clock.takes("short", 0.25), "long": clock.takes("long", 8.0)}
    times = interleave(contenders, rounds=1, seconds=1.0, clock=clock)
    # Once to warm up, once to see how long it takes, then in the round.
    assert clock.calls.count("short") == 2 + 4
    assert clock.calls.count("long") == 2 + 1
    assert (times["short"][0], times["long"][0]) == (0.25, 8.0)


def test_a_call_too_short_to_be_seen(clock):
    times = interleave({"nothing": clock.takes("x", 0.0)}, rounds=1, seconds=1e-8, clock=clock)
    assert times["nothing"][0] == 0


def test_medians_are_taken_over_rounds_of_ratios():
    times = {"a": np.array([1.0, 10.0, 4.0]), "b": np.array([1.0, 2.0, 1.0])}
    assert ratio(times, "a", "b") == "4"
    assert duration(times, "a", unit=2.0) == "2"


@pytest.mark.parametrize(
    ("value", "text"), [(0.012345, "0.0123"), (99.96, "100"), (999.4, "999"), (12345.6, "12346")]
)
def test_digits(value, text):
    assert rounded(value) == text


def test_the_environment_is_named():
    machine, versions = environment(["numpy", "papershelf"], "one thread")
    assert machine.endswith("cores, one thread")
    assert versions.startswith(f"numpy {np.__version__}, papershelf ")


def test_rows_of_another_length_are_refused():
    with pytest.raises(ValueError, match="argument"):
        table("title", ["", "a"], [["b", "1", "2"]])


class Capture:
    """Says when it is off."""

    @contextmanager
    def disabled(self):
        print("off")
        yield
        print("on")


def test_tables_are_shown_while_the_capture_is_off(capsys):
    wanted = "Times", ["job", "ms"], [["sort", "12"]]
    show_past(Capture())(*wanted)
    assert capsys.readouterr().out == f"off\n\n\n{table(*wanted)}\non\n"
