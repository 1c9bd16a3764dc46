"""A cluster is one joblib context away, and changes no bit of a result."""

import joblib
import numpy as np
from distributed import Client, LocalCluster

from kdtw import kdtw_pairwise_distance


def test_dask_on_loopback_gives_the_bits_of_one_process() -> None:
    rng = np.random.default_rng(20250713)
    curves = [rng.normal(size=(length, 2)) for length in (17, 23, 31, 40, 52)]
    alone = kdtw_pairwise_distance(curves, k=5, n_jobs=1)
    workers = {"n_workers": 2, "threads_per_worker": 1, "processes": True}
    with (
        LocalCluster(**workers, host="127.0.0.1", dashboard_address=None) as cluster,
        Client(cluster),
        joblib.parallel_config(backend="dask", wait_for_workers_timeout=60),
    ):
        spread = kdtw_pairwise_distance(curves, k=5, n_jobs=2)
    assert np.any(alone)
    np.testing.assert_array_equal(spread, alone)
