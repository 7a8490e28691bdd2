"""Every classifier of scikit-learn under the tests of copse try.

It takes minutes, so that it runs only with COPSE_LANGUAGES=1 (.ci/languages). With
COPSE_WRITE=1 it writes docs/reference/sklearn.md.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

sklearn = pytest.importorskip("sklearn", reason="NOT TESTED: needs scikit-learn")

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "sklearn.md"

LOGISTIC = {"estimator": "sklearn.linear_model:LogisticRegression"}
SEVERAL = [["a", LOGISTIC], ["b", {"estimator": "sklearn.naive_bayes:GaussianNB"}]]

# Settings of classifiers whose defaults are not for these data, or that have none.
SETTINGS = {
    "ClassifierChain": {"base_estimator": LOGISTIC},
    "FixedThresholdClassifier": {"estimator": LOGISTIC},
    "MultiOutputClassifier": {"estimator": LOGISTIC},
    "OneVsOneClassifier": {"estimator": LOGISTIC},
    "OneVsRestClassifier": {"estimator": LOGISTIC},
    "OutputCodeClassifier": {"estimator": {"estimator": "sklearn.svm:SVC"}},
    "QuadraticDiscriminantAnalysis": {"reg_param": 0.1},
    "StackingClassifier": {"estimators": SEVERAL},
    "TunedThresholdClassifierCV": {"estimator": LOGISTIC},
    "VotingClassifier": {"estimators": SEVERAL, "voting": "soft"},
    "RadiusNeighborsClassifier": {"radius": 3.0, "outlier_label": "most_frequent"},
    "CategoricalNB": {"min_categories": 20},
}

# Steps before classifiers of counts, of categories, and before linear ones that masking affects.


def bins(encode):
    return {"estimator": "sklearn.preprocessing:KBinsDiscretizer",
            "params": {"n_bins": 10, "strategy": "uniform", "encode": encode}}


SQUARES = {"estimator": "sklearn.preprocessing:PolynomialFeatures"}
BEFORE = {
    "BernoulliNB": bins("onehot-dense"), "CategoricalNB": bins("ordinal"), "ComplementNB": bins("onehot-dense"),
    "MultinomialNB": bins("onehot-dense"), "PassiveAggressiveClassifier": SQUARES, "Perceptron": SQUARES,
    "RidgeClassifier": SQUARES, "RidgeClassifierCV": SQUARES,
}

# The least share of classifiers that pass.
SHARE = 0.8

# Reasons, by what the messages contain.
REASONS = [
    ("multi-output", "predicts several targets; a study has one"),
    ("tuple index", "predicts several targets; a study has one"),
    ("of the labels are wrong", "mislabels more than 15 percent of the rows of well separated classes"),
    ("returns none", "predict disagrees with the probabilities"),
    ("labels differ", "labels depend on the other rows or on earlier fits"),
]


def import_path(name, cls):
    """Return the public path of a class: its module up to the first private part."""
    public = cls.__module__.split("._")[0]
    return "%s:%s" % (public, name)


def study_of(classifiers):
    lines = ["study: all", "seed: 1", "replicates: 1", "classifiers:",
             "data: {generator: {name: forest, d: 4}, train: {n: 20}, test: {n: 20}}"]
    entries = []
    for name, cls in classifiers:
        entry = {"id": name, "classifier": "sklearn", "interpreter": sys.executable}
        chosen = {"estimator": import_path(name, cls), "params": SETTINGS.get(name, {})}
        entry.update({"estimator": [BEFORE[name], chosen]} if name in BEFORE else chosen)
        entries.append("  - " + json.dumps(entry))
    return "\n".join(lines[:4] + entries + lines[4:]) + "\n"


def broken_laws(binary):
    """Return the laws that each classifier breaks, with what copse try prints about them."""
    done = subprocess.run([binary, "try", "all.yaml"], capture_output=True, text=True)
    broken, name = {}, ""
    for line in done.stdout.splitlines():
        if line.startswith("sklearn/1{"):
            name = name_in(line)
            broken[name] = []
        elif line.startswith("  FAILED"):
            broken[name].append(line[len("  FAILED"):].strip())
    for line in done.stderr.splitlines():
        if "sklearn/1{" in line and name_in(line) not in broken:
            broken[name_in(line)] = [line.split("}: ", 1)[-1]]
    return broken


def name_in(line):
    """Return the classifier of a recipe: of a pipeline the last step."""
    params, _ = json.JSONDecoder().raw_decode(line[line.index("params=") + len("params="):])
    chosen = params["estimator"]
    path = chosen[-1]["estimator"] if isinstance(chosen, list) else chosen
    return path.split(":")[-1]


def reason(laws):
    for words, text in REASONS:
        if any(words in law for law in laws):
            return text
    return laws[0]


def page_of(broken):
    passed = sum(not laws for laws in broken.values())
    text = [
        "# Classifiers of scikit-learn\n",
        "`copse try` tests each classifier of `sklearn.utils.all_estimators`. The same seed must give the same",
        "labels, even in a new process or with the test rows in another order. Further checks cover",
        "well-separated classes, three and seven classes, discrete attributes, missing values, probabilities and",
        "time limits.\n",
        "Most classifiers run with their default parameters. If the defaults do not suit the test data, the tests use",
        "the settings in the second table. Of the %d classifiers of scikit-learn %s, %d pass. These classifiers fail:\n" % (
            len(broken), sklearn.__version__, passed),
        "| classifier | reason |",
        "|---|---|",
    ]
    text += ["| `%s` | %s |" % (name, reason(laws)) for name, laws in sorted(broken.items()) if laws]
    text += ["", "| classifier | setting |", "|---|---|"]
    text += ["| `%s` | `%s` |" % (name, json.dumps(SETTINGS[name])) for name in sorted(SETTINGS) if name in broken]
    text += ["| `%s` | after `%s` |" % (name, json.dumps(BEFORE[name])) for name in sorted(BEFORE)]
    return "\n".join(text) + "\n\n`.ci/languages` runs `python/tests/test_sklearn.py`, which writes this page.\n"


@pytest.mark.skipif("COPSE_LANGUAGES" not in os.environ, reason="NOT TESTED: set COPSE_LANGUAGES=1; takes minutes")
def test_all_classifiers(binary, folder):
    from sklearn.utils import all_estimators

    classifiers = all_estimators("classifier")
    (folder / "all.yaml").write_text(study_of(classifiers))
    broken = broken_laws(binary)
    assert sorted(broken) == sorted(name for name, _ in classifiers)
    passed = sum(not laws for laws in broken.values())
    assert passed >= SHARE * len(classifiers), {name: laws for name, laws in broken.items() if laws}
    if "COPSE_WRITE" in os.environ:
        PAGE.write_text(page_of(broken))
    if "scikit-learn %s," % sklearn.__version__ in PAGE.read_text():
        assert PAGE.read_text() == page_of(broken)


def test_scores_of_pairs_of_classes_are_not_used():
    run_with_clients("""
import os, tempfile, warnings
import numpy, copse, copse_sklearn
folder = tempfile.TemporaryDirectory()
rows = os.path.join(folder.name, "x.npy")
labels = os.path.join(folder.name, "y.npy")
numpy.save(rows, numpy.arange(40.0).reshape(-1, 1))
numpy.save(labels, numpy.arange(40) // 10)
params = {"estimator": "sklearn.svm:SVC", "params": {"decision_function_shape": "ovo"}, "encode": "onehot"}
copse.task = {"op": "fit_predict", "train": rows, "labels": labels, "test": rows, "classes": list("abcd"),
              "seed31": 1, "params": params, "out": folder.name}
with warnings.catch_warnings(record=True) as caught:
    reply = copse_sklearn.answer(copse.task)
assert "labels" in reply and "scores" not in reply, reply
assert "6 columns for 4 classes" in str(caught[0].message), caught
""")


def test_class_weight_by_name():
    run_with_clients("""
import copse, copse_sklearn
copse.task = {"classes": ["sick", "healthy"]}
steps = ["sklearn.preprocessing:StandardScaler", "sklearn.svm:SVC"]
model = copse_sklearn.estimator(steps, {"svc__class_weight": {"healthy": 1, "sick": 5}})
assert model[-1].class_weight == {1: 1, 0: 5}, model
model = copse_sklearn.estimator("sklearn.svm:SVC", {"class_weight": "balanced"})
assert model.class_weight == "balanced", model
try:
    copse_sklearn.estimator("sklearn.svm:SVC", {"class_weight": {"0": 1}})
    raise SystemExit("an unknown class is accepted")
except ValueError as error:
    assert str(error) == "class_weight: '0' is not a class; the classes are sick, healthy", error
""")


def run_with_clients(check):
    """Run Python code that imports copse's clients for programs."""
    clients = Path(__file__).parents[2] / "experiments" / "external" / "clients"
    subprocess.run([sys.executable, "-c", check], env={**os.environ, "PYTHONPATH": str(clients)}, check=True)
