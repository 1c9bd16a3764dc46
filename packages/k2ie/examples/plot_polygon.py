"""
Inside borders
==============

Airports of the contiguous United States. No airport can be seen in the sea, in Canada or in Mexico,
and an estimate that takes the map's frame for the window finds too few along the borders. With the
outline as window it does not matter where the borders run.
"""

from importlib.util import find_spec
from pathlib import Path

import geopandas
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from libpysal.examples import get_path

from k2ie import K2IE, plot_intensity

# %%
# From GeoPandas to a window
# --------------------------
#
# The states, as shipped by libpysal, made one in an equal-area projection; and airports, as shipped
# by vega_datasets. Coordinates are metres.

states = geopandas.read_file(get_path("us48.shp")).set_crs("EPSG:4326").to_crs("EPSG:5070")
country = states.union_all().simplify(20_000)
(vega,) = find_spec("vega_datasets").submodule_search_locations
table = pd.read_csv(Path(vega) / "_data" / "airports.csv")
airports = geopandas.points_from_xy(table["longitude"], table["latitude"], crs="EPSG:4326")
airports = geopandas.GeoSeries(airports).to_crs("EPSG:5070")
airports = airports[airports.within(country)].get_coordinates().to_numpy()

model = K2IE(length_scale=500e3).fit(airports, country)
print(f"{model.n_events_} airports on {country.area / 1e6:,.0f} square kilometres")
print(f"{model.n_basis_} basis functions")

figure, ax = plt.subplots(figsize=(9, 5.5), layout="constrained")
plot_intensity(model, ax, unit="m", events=False)
ax.set(xticks=[], yticks=[], title="airports")
plt.show()

# %%
# The frame for the window
# ------------------------
#
# The same length-scale and penalty with the map's frame as window, over the estimate above: in
# the interior the two agree, at borders and coasts the frame loses about half.

left, bottom, right, top = country.bounds
frame = K2IE(length_scale=500e3, alpha=model.alpha_)
frame.fit(airports, [[left, right], [bottom, top]])
x, y, inside = model.predict_grid((240, 150))
_, _, everywhere = frame.predict_grid((240, 150))
figure, ax = plt.subplots(figsize=(9, 5), layout="constrained")
# Where there are hardly any airports, a ratio says nothing.
inside[inside < np.nanquantile(inside, 0.1)] = np.nan
mesh = ax.pcolormesh(x, y, everywhere / inside, cmap="RdBu", vmin=0.4, vmax=1.6, rasterized=True)
geopandas.GeoSeries([country]).boundary.plot(ax=ax, color="0.2", linewidth=0.8)
figure.colorbar(mesh, label="frame / outline")
ax.set(xticks=[], yticks=[], xlabel="", ylabel="", aspect="equal")
plt.show()

# %%
# Expected counts of parts of the window, in closed form before negative values are cut off, and
# with quadrature after: some states, and what was counted there.

print("                 expected   counted")
for name in ("Florida", "Texas", "Maine", "Nevada"):
    state = states.loc[states["STATE_NAME"] == name, "geometry"].item()
    part = state.simplify(20_000).intersection(country)
    counted = geopandas.points_from_xy(*airports.T).within(part).sum()
    print(f"{name:15s} {model.integral(part):9.1f} {counted:9d}")
