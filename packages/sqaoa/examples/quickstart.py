"""Who sides with whom? Sixteen tribes of Highland New Guinea, clustered by a simulated circuit.

The 58 alliances (+) and enmities (-) are those of K. E. Read, Cultures of the Central Highlands,
New Guinea, Southwestern Journal of Anthropology 10(1), 1954, each written once.
"""

from timeit import repeat

import matplotlib.pyplot as plt
import networkx as nx

from sqaoa import (
    SQAOA,
    SQAOAProblem,
    agreement,
    exact_clustering,
    greedy_clustering,
    local_search,
    plot_clusters,
    plot_history,
)

RELATIONS = """
Alika -Gavev +Ove +Ukudz
Asaro +Gahuk -Gama -Gavev +Geham +Masil -Nagad -Seuve +Ukudz
Gahuk -Gama -Gavev +Geham -Kotun +Masil -Notoh +Ove -Uheto +Ukudz
Gama +Gavev -Geham +Kotun +Nagad -Nagam -Seuve -Uheto
Gavev +Kotun +Nagad -Nagam -Ove
Geham -Kohik +Masil -Nagad -Notoh -Uheto +Ukudz
Kohik -Kotun -Nagad +Notoh +Uheto
Kotun +Nagad -Nagam -Notoh -Ove
Masil +Nagam +Ove +Uheto +Ukudz
Nagad -Nagam -Notoh -Uheto
Nagam +Notoh +Seuve
Notoh +Uheto
Ove +Ukudz
Seuve +Uheto -Ukudz
"""

graph = nx.Graph()
for line in RELATIONS.strip().splitlines():
    tribe, *others = line.split()
    for other in others:
        graph.add_edge(tribe, other[1:], weight=1 if other[0] == "+" else -1)
print(f"{len(graph)} tribes, {graph.number_of_edges()} alliances and enmities")

model = SQAOA(nucleus=0.1, n_restarts=1, random_state=0).fit(graph)
sizes = " and ".join(str(len(kernel.nodes)) for kernel in model.kernels_)
print(f"exact reductions leave {sizes} nodes to the circuit, with one qubit for each")
print(f"one layer of angles trained, {model.n_evaluations_} evaluations\n")


def classical():
    return local_search(graph, greedy_clustering(graph))


print("agreement")
for method, value in {
    "SQAOA, best partition measured (agreement_)": model.agreement_,
    "SQAOA, of the nuclei (value_)": model.value_,
    "SQAOA, one measurement (expected_agreement_)": model.expected_agreement_,
    "greedy contraction and local search": agreement(graph, classical()),
    "optimum, proved": agreement(graph, exact_clustering(graph)),
}.items():
    print(f"{method:46s}{value:6.2f}")
milliseconds = min(repeat(classical, number=10, repeat=5)) / 10 * 1e3
print(f"\nthe classical heuristic takes {milliseconds:.1f} ms: for labels alone, take that\n")

for label in range(model.labels_.max() + 1):
    members = [name for name, own in zip(graph, model.labels_, strict=True) if own == label]
    print(f"{label}: {', '.join(members)}")

kernel = model.kernels_[0]
beta, gamma, delta = (part[0] for part in kernel.angles.parts)
program = SQAOAProblem(kernel.weights).to_openqasm3(beta, gamma, delta)
print(f"\nfirst stage of the largest kernel in OpenQASM 3: {program.count('cx ')} cx gates")

figure, (left, right) = plt.subplots(
    1, 2, figsize=(11, 5), layout="constrained", width_ratios=[3, 2]
)
plot_clusters(graph, model.labels_, left)
left.set_title("alliances (solid), enmities (dashed), clusters")
plot_history(model, right)
right.set_title("training of the largest kernel")
figure.savefig("sqaoa_quickstart.png", dpi=150)
print("\nsaved sqaoa_quickstart.png: the clusters, and how training went")
