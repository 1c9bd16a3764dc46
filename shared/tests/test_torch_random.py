"""PyTorch generators from seeds; a stand-in takes PyTorch's place where it is not installed."""

import importlib.util
import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from papershelf.torch_random import as_torch_generator


class StandInGenerator:
    """The part of torch.Generator that matters here, with the range of its seeds."""

    def __init__(self, device="cpu"):
        self.device = SimpleNamespace(type=str(device).partition(":")[0])
        self._seed = 67280421310721

    def manual_seed(self, seed):
        if not -(2**63) <= seed < 2**64:
            raise RuntimeError("Overflow when unpacking long")
        self._seed = seed
        return self

    def initial_seed(self):
        return self._seed


@pytest.fixture(autouse=True)
def torch(monkeypatch):
    if importlib.util.find_spec("torch") is not None:
        return pytest.importorskip("torch")
    module = ModuleType("torch")
    module.Generator = StandInGenerator
    module.device = lambda text: StandInGenerator(text).device
    monkeypatch.setitem(sys.modules, "torch", module)
    return module


@pytest.mark.parametrize("seed", [0, np.int64(7), 2**64 - 1], ids=["zero", "numpy", "largest"])
def test_int_is_the_manual_seed(seed):
    assert as_torch_generator(seed).initial_seed() == seed


def test_torch_generator_comes_back_itself(torch):
    generator = torch.Generator()
    assert as_torch_generator(generator) is generator


def test_generator_on_another_device_is_a_value_error(torch):
    with pytest.raises(ValueError, match=r"^`random_state` must be a generator on meta, got one"):
        as_torch_generator(torch.Generator(), device="meta")


def test_none_gives_a_different_seed_each_time():
    assert as_torch_generator().initial_seed() != as_torch_generator(None).initial_seed()


@pytest.mark.parametrize(
    "make", [np.random.default_rng, np.random.SeedSequence], ids=["generator", "seed sequence"]
)
def test_numpy_source_gives_a_reproducible_seed(make):
    seeds = [as_torch_generator(make(entropy)).initial_seed() for entropy in (0, 0, 1)]
    assert seeds[0] == seeds[1] != seeds[2]


def test_numpy_generator_advances():
    generator = np.random.default_rng(0)
    seeds = [as_torch_generator(generator).initial_seed() for _ in range(2)]
    assert seeds[0] != seeds[1]


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        pytest.param(True, TypeError, "an int, .* got True", id="bool"),
        pytest.param(1.0, TypeError, r"an int, .* got 1\.0", id="float"),
        pytest.param(
            np.random.RandomState(0), TypeError, "an int, .* got RandomState", id="legacy"
        ),
        pytest.param(-1, ValueError, "at least 0 and .*, got -1", id="negative"),
        pytest.param(2**64, ValueError, "at most 18446744073709551615, got", id="over 64 bits"),
    ],
)
def test_bad_random_state(value, error, message):
    with pytest.raises(error, match=rf"^`random_state` must be .*{message}"):
        as_torch_generator(value)
