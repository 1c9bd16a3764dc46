"""
What node phases, depth and the nucleus do
==========================================

Three nodes that all want to be apart: the smallest graph on which the ansatz without node phases
fails, and on which the value of a small nucleus says next to nothing.
"""

import matplotlib.pyplot as plt
import numpy as np

from sqaoa import SQAOA, SQAOAProblem

triangle = np.eye(3) - 1

# %%
# Node phases and depth
# ---------------------
#
# Without node phases every outcome is as probable as its complement, and all three nodes look the
# same: no depth brings the expected agreement above 2.5 of 3. With them one layer reaches 2.6429,
# two reach 2.96, and more layers come as close to 3 as one likes, as the paper promises. These are
# plain expectations (``nucleus=1``), the best of 30 starts.

depths = [1, 2, 3, 4]
figure, ax = plt.subplots(figsize=(7, 3.8), layout="constrained")
for node_phases, marker in ((True, "o"), (False, "s")):
    values = []
    for p in depths:
        model = SQAOA(
            p, nucleus=1.0, node_phases=node_phases, reduce=False, n_restarts=29, random_state=0
        )
        values.append(model.fit(triangle).value_)
    print(f"node_phases={node_phases!s:6}", np.round(values, 4))
    ax.plot(depths, values, marker=marker, label=f"node_phases={node_phases}")
ax.axhline(3, color="0.6", linewidth=0.8, linestyle=":")
ax.annotate("optimum", (4, 3), (0, -4), textcoords="offset points", va="top", ha="right")
ax.set(xlabel="layers", ylabel="expected agreement", xticks=depths, ylim=(2.4, 3.05))
ax.legend(frameon=False, loc="center right")
plt.show()

# %%
# The nucleus
# -----------
#
# The angles of one layer that are best for the plain expectation, now with other thresholds: at
# each stage the most probable outcomes up to mass t are kept and the rest is dropped. The fewer are
# kept, the larger the value; below some threshold it is the agreement of one partition, a
# step that no longer depends on the angles nearby. What the circuit does has not changed.

model = SQAOA(nucleus=1.0, reduce=False, n_restarts=29, random_state=0).fit(triangle)
problem = SQAOAProblem(triangle)
thresholds = np.linspace(0.02, 1, 99)
values = [problem.value(*model.angles_.parts, nucleus=t) for t in thresholds]
kept = [len(problem.partition_distribution(*model.angles_.parts, nucleus=t)) for t in thresholds]
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained", sharex=True)
left.step(thresholds, values, label="value under the nucleus")
left.axhline(model.expected_agreement_, color="0.4", linestyle="--", label="expected agreement")
left.set(xlabel="threshold t of the nucleus", ylabel="agreement")
left.legend(frameon=False)
right.step(thresholds, kept, color="#ee6677")
right.set(xlabel="threshold t of the nucleus", ylabel="partitions kept, of 5", ylim=(0, 5.5))
plt.show()

# %%
# How flat it is
# --------------
#
# One angle of the first stage on its way around: with t = 0.1 the value is made of steps, and its
# gradient is zero nearly everywhere. Hence training starts with t = 1 and lowers it, and takes its
# last steps without gradients.

beta, gamma, delta = model.angles_.parts
turns = np.linspace(0, np.pi, 401)
figure, ax = plt.subplots(figsize=(7, 3.8), layout="constrained")
for t in (1.0, 0.5, 0.1):
    values = []
    for turn in turns:
        shifted = delta.copy()
        shifted[0, 0] += turn
        values.append(problem.value(beta, gamma, shifted, nucleus=t))
    ax.plot(turns, values, label=f"t = {t:g}")
ax.set(xlabel="shift of the node-phase angle of stage 0", ylabel="value")
ax.legend(frameon=False)
plt.show()
