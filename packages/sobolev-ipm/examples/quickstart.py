"""Compare 200 posts of two newsgroups: nearest neighbours, a kernel SVM, a map of the difference.

The posts, as shipped by gensim, are 100 each of alt.atheism and sci.space. A post is a measure on
a graph of words. The word vectors behind the graph are made of the posts themselves, without their
classes (latent semantic analysis), as no package ships good ones of a size for an example.
"""

import pickletools
import re
import zlib
from importlib.util import find_spec
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.manifold import TSNE
from sklearn.model_selection import GridSearchCV, StratifiedShuffleSplit
from sklearn.preprocessing import normalize
from sklearn.svm import SVC

from sobolev_ipm import SobolevIPM, graph_from_points, plot_contributions


def newsgroup_posts():
    """Subjects, texts without headers, quotes and addresses, and classes: is it on space?"""
    (gensim,) = find_spec("gensim").submodule_search_locations
    packed = (Path(gensim) / "test" / "test_data" / "mini_newsgroup").read_bytes()
    # A pickle from long ago; its strings are read without running it.
    steps = pickletools.genops(zlib.decompress(packed))
    posts = [value.partition("\n\n") for step, value, _ in steps if step.name == "UNICODE"]
    heads, texts = [head for head, _, _ in posts], [text for _, _, text in posts]
    noise = re.compile(r"^[>|:].*|.*(?:@|writes:).*", re.MULTILINE)
    subjects = [re.search(r"^Subject: (?:Re: )?(.*)", head, re.MULTILINE)[1] for head in heads]
    on_space = ["sci.space" in re.search(r"^Newsgroups: (.*)", head, re.M)[1] for head in heads]
    return subjects, [noise.sub("", text) for text in texts], np.array(on_space)


subjects, texts, on_space = newsgroup_posts()
words = CountVectorizer(stop_words="english", token_pattern="[a-z]{3,}", min_df=3)
counts = words.fit_transform(texts)
keep = np.flatnonzero(counts.sum(axis=1))  # one post is empty but for quotes
counts, on_space = counts[keep], on_space[keep]
subjects = [subjects[i] for i in keep]

tfidf = TfidfTransformer(sublinear_tf=True).fit_transform(counts)
vectors = normalize(TruncatedSVD(10, random_state=0).fit(tfidf).components_.T)
nodes = graph_from_points(vectors, 200, random_state=0)
posts = nodes.measures(counts)
print(f"{len(subjects)} posts, {len(vectors)} words on a graph of {nodes.graph.n_nodes} nodes\n")

model = SobolevIPM(nodes.graph, p=1, n_roots=10, random_state=0).fit()
distances, nearest = model.kneighbors(posts, n_neighbors=3)
for subject in ("HST Antenna OK?", "Political banner in space", "Americans and Evolution"):
    post = subjects.index(subject)
    print(f"nearest to {subject!r}:")
    for distance, other in zip(distances[post], nearest[post], strict=True):
        print(f"    {distance:.3f}  {subjects[other]}")


def neighbours_alike(nearest):
    return f"{np.mean(on_space[nearest[:, :3]] == on_space[:, np.newaxis]):.1%}"


cosine = normalize(tfidf) @ normalize(tfidf).T
by_tfidf = np.argsort(-(cosine.toarray() - 2 * np.eye(len(keep))), axis=1)
print("\nof the 3 nearest posts are of the same group")
print(f"    Sobolev IPM, p=1, 10 roots    {neighbours_alike(nearest)}")
print(f"    cosine of TF-IDF              {neighbours_alike(by_tfidf)}\n")

splits = StratifiedShuffleSplit(10, test_size=0.3, random_state=0)
Cs = {"C": [0.1, 1, 10, 100]}


def test_accuracy(kernels):
    """Mean and deviation over the splits; C and the kernel are chosen on training posts."""
    scores = []
    for train, test in splits.split(posts, on_space):
        searches = [
            GridSearchCV(SVC(kernel="precomputed"), Cs, cv=3).fit(
                K[train][:, train], on_space[train]
            )
            for K in kernels
        ]
        best = int(np.argmax([search.best_score_ for search in searches]))
        scores.append(searches[best].score(kernels[best][test][:, train], on_space[test]))
    return f"{np.mean(scores):.1%} +- {np.std(scores):.1%}"


def exponentials(D):
    return [np.exp(-t * D / np.median(D)) for t in (0.3, 1, 3)]


means = normalize(tfidf @ vectors)
print("support vector machine, mean accuracy on 60 posts +- deviation over 10 splits")
print(f"    TF-IDF, linear kernel         {test_accuracy([cosine.toarray()])}")
print(f"    mean word vector, Gaussian    {test_accuracy(exponentials(2 - 2 * means @ means.T))}")
for p in (1, 2):
    for n_roots in (1, 10):
        D = SobolevIPM(nodes.graph, p=p, n_roots=n_roots, random_state=0).fit().pairwise(posts)
        name = f"Sobolev IPM, p={p}, {n_roots} root{'s' * (n_roots > 1)}"
        print(f"    {name:30s}{test_accuracy(exponentials(D))}", flush=True)

# Where do the two groups differ? Nodes lie where t-SNE puts their words, and are called by the most
# frequent one.
space, atheism = (posts[on_space == group].sum(axis=0) for group in (True, False))
space, atheism = (np.asarray(group).ravel() / group.sum() for group in (space, atheism))
vocabulary, frequency = words.get_feature_names_out(), np.asarray(counts.sum(axis=0)).ravel()
figure, axes = plt.subplots(figsize=(9, 7), layout="constrained")
positions = TSNE(init="pca", random_state=0).fit_transform(nodes.positions)
model = SobolevIPM(nodes.graph, p=1).fit()
names = ("sci.space", "alt.atheism")
plot_contributions(model, space, atheism, positions, quantity="flow", ax=axes, names=names)
for node in np.argsort(-np.abs(space - atheism))[:40]:
    word = vocabulary[np.argmax(frequency * (nodes.labels == node))]
    axes.annotate(word, positions[node], (4, 3), textcoords="offset points", zorder=9)
figure.savefig("sobolev_ipm_posts.png", dpi=150)
print("\nsaved sobolev_ipm_posts.png: how mass moves from one group to the other")
