"""
What training sees and what a device would
==========================================

Five nodes, ten edges of random sign. The value that training reports, and the partitions that come
out when the trained circuits are measured, are two things.
"""

import matplotlib.pyplot as plt
import numpy as np

from sqaoa import (
    SQAOA,
    SQAOAProblem,
    agreement,
    exact_clustering,
    plot_clusters,
    plot_distribution,
    plot_history,
    qaoa_clustering,
    random_signed_graph,
)

weights = random_signed_graph(5, edge_probability=1.0, positive_probability=0.5, random_state=0)
optimum = exact_clustering(weights)
most = agreement(weights, optimum)
print(f"largest agreement {most:g} of {np.abs(weights).sum() / 2:g}")
plot_clusters(weights, optimum).set_title("an optimum")
plt.show()

# %%
# The history
# -----------
#
# Best values so far, as the run goes that found the angles. A nucleus of 0.1, as in the paper, is
# at the optimum soon; the plain expectation (``nucleus=1``) of one layer stays well below.

models = {t: SQAOA(nucleus=t, reduce=False, random_state=0).fit(weights) for t in (0.1, 1.0)}
figure, panels = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained", sharey=True)
for ax, model in zip(panels, models.values(), strict=True):
    plot_history(model, ax)
    ax.axhline(model.expected_agreement_, color="0.4", linestyle="--", label="expected agreement")
    ax.axhline(most, color="0.7", linestyle=":", label="optimum")
panels[1].legend(frameon=False, loc="lower right")
plt.show()

# %%
# What is measured
# ----------------
#
# The nucleus is one partition, with probability one *within the nucleus*. Measured, the very same
# angles give many partitions: here are the frequencies of 1000 samples. In red the labels that
# were returned.

measured = models[0.1]
problem = SQAOAProblem(weights)
samples = problem.sample(*measured.angles_.parts, size=1000, random_state=0)
agreements = [agreement(weights, labels) for labels in samples]
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained")
plot_distribution(models[1.0], left)
left.set_title("nucleus=1: 1000 measured partitions")
bins = np.arange(-0.5, most + 1)
right.hist(agreements, bins, color="0.75", rwidth=0.9)
right.axvline(measured.value_, color="#ee6677", label=f"value_ = {measured.value_:.2f}")
right.axvline(
    measured.expected_agreement_,
    color="0.3",
    linestyle="--",
    label=f"expected_agreement_ = {measured.expected_agreement_:.2f}",
)
right.set(xlabel="agreement", ylabel="of 1000 measured", title="nucleus=0.1, measured")
right.legend(frameon=False, loc="upper left")
plt.show()

# %%
# More layers, and the baseline
# -----------------------------
#
# Plain expectations: more layers make good partitions more probable, here and in QAOA on qudits.
# The optimum is among 1000 samples either way.

print("layers    SQAOA     QAOA")
for p in (1, 2, 3):
    ours = SQAOA(p, nucleus=1.0, reduce=False, random_state=0).fit(weights)
    qaoa = qaoa_clustering(weights, p, random_state=0)
    print(f"{p:6d}{ours.expected_agreement_:9.2f}{qaoa.value:9.2f}")
print(f"qubits: {len(weights)}, and for QAOA {qaoa.n_qubits_one_hot} (one-hot) ", end="")
print(f"or {qaoa.n_qubits_binary} (binary)")
