"""One layer, all pairs, node phases and mixer, against simulators of circuits, on one thread."""

import pytest

from papershelf.benchmarking import Show, duration, interleave, ratio

from .peers import checked, draw_stage, jobs

MILLISECOND = 1e-3


@pytest.mark.parametrize("n", [12, 16, 20])
def test_layer(n: int, show: Show) -> None:
    stage = draw_stage(n)
    double = checked(jobs(stage, single=False), 1e-9)
    single = checked(jobs(stage, single=True), 1e-4)
    contenders = {
        f"{name}, {precision}": job
        for precision, group in (("double", double), ("single", single))
        for name, job in group.items()
    }
    times = interleave(contenders, rounds=5, seconds=0.05)
    show(
        f"{n} qubits, {stage.layers} layers with start: milliseconds per layer, and ratios",
        ["", "ms", "/ sqaoa, double", "/ sqaoa, single"],
        [
            [
                name,
                duration(times, name, MILLISECOND * stage.layers),
                ratio(times, name, "sqaoa, double"),
                ratio(times, name, "sqaoa, single"),
            ]
            for name in times
        ],
    )
