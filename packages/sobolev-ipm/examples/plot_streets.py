"""
Events on a street network
==========================

Points on edges become nodes without changing the metric space, so events on streets are measures
like all others. Where do 287 crimes lie, compared with the streets themselves, and around schools?
"""

import geopandas
import matplotlib.pyplot as plt
import numpy as np
from libpysal.examples import get_path

from sobolev_ipm import MetricGraph, SobolevIPM, insert_points, plot_contributions

# %%
# From GeoPandas to a graph
# -------------------------
#
# GeoDaNet's sample, shipped by libpysal: streets as lines, crimes and schools as points. The ends
# of the lines are the nodes, their lengths (in feet) those of the edges.

streets = geopandas.read_file(get_path("streets.shp"))
crimes = geopandas.read_file(get_path("crimes.shp"))
schools = geopandas.read_file(get_path("schools.shp"))

ends = streets.boundary.explode().get_coordinates().round(1).to_numpy()
nodes, number = np.unique(ends, axis=0, return_inverse=True)
graph = MetricGraph(number.reshape(-1, 2), streets.length)
root = SobolevIPM(graph).fit().roots_[0]  # kept below, where the default would be another node
print(graph)


def on_streets(points):
    """The street nearest to each point, and where on it the point is."""
    _, street = streets.sindex.nearest(points.geometry, return_all=False)
    line = streets.geometry.iloc[street].reset_index(drop=True)
    return street, line.project(points.geometry, normalized=True).to_numpy()


# %%
# Every crime and every school becomes a node, and so do six points along each street that stand for
# the street itself. Events at one place share a node.

along = np.repeat(np.arange(len(streets)), 6), np.tile((np.arange(6) + 0.5) / 6, len(streets))
places = [on_streets(crimes), on_streets(schools), along]
edge, t = (np.concatenate(part) for part in zip(*places, strict=True))
graph, events = insert_points(graph, edge, t)
of_crimes, of_schools, of_streets = np.split(events, [len(crimes), len(crimes) + len(schools)])

lines = streets.geometry.iloc[edge].reset_index(drop=True)
positions = np.zeros((graph.n_nodes, 2))
positions[: len(nodes)] = nodes
positions[events] = lines.interpolate(t, normalized=True).get_coordinates()


def measure(nodes, masses=None):
    return np.bincount(nodes, masses, graph.n_nodes)


crime, school = measure(of_crimes), measure(of_schools)
street = measure(of_streets, np.repeat(streets.length / 6, 6))

# %%
# Where are more crimes than streets?
# -----------------------------------
#
# At p = 1 on the tree of shortest paths, the distance is the cost of moving mass along streets. The
# flow from crimes to evenly spread mass leaves the streets that have more than their share.

model = SobolevIPM(graph, p=1, root=root).fit()
figure, axes = plt.subplots(figsize=(8, 7.5), layout="constrained")
plot_contributions(
    model, crime, street, positions, quantity="flow", ax=axes, names=("crimes", "all streets")
)
plt.show()

# %%
# One place stands out: it has 28 of the 287 crimes.
#
# Is it chance?
# -------------
#
# The same number of points, spread over the streets at random, is never as far from an even spread
# as the crimes are. Nor are crimes near the eight schools: most random points are nearer. At p = 2
# the distances are maximum mean discrepancies (MMD), whose weights know the unit of length, feet.

rng = np.random.default_rng(0)
samples = np.vstack([crime, rng.multinomial(len(crimes), street / street.sum(), size=999)])
figure, rows = plt.subplots(2, 2, figsize=(9, 5), layout="constrained")
for row, (name, other) in zip(rows, {"streets": street, "schools": school}.items(), strict=True):
    for ax, p in zip(row, (1, 2), strict=True):
        model = SobolevIPM(graph, p=p, root=root).fit()
        crimes_at, *random_at = model.pairwise(samples, other).ravel()
        ax.hist(random_at, bins=40, color="0.7", label="random points")
        ax.axvline(crimes_at, color="tab:red", label="crimes")
        nearer = np.mean(np.array(random_at) < crimes_at)
        ax.set(title=f"p = {p}: {nearer:.1%} nearer", xlabel=f"distance to {name}", yticks=[])
rows[0, 0].legend(frameon=False)
plt.show()
