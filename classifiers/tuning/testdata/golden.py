# Choices and scores of scikit-learn's GridSearchCV on ten data sets.
# /usr/bin/python3 golden.py   (Debian's python3-sklearn 1.2.1, Python 3.11.2, numpy 1.24.2)
#
# tuning_test.go draws the same data sets. Column scores has the mean over five given
# folds of each candidate, in the order of the grid; choice is best_index_.
import csv

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.model_selection import GridSearchCV, PredefinedSplit
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.svm import SVC


def draw(seed, n):
    """n rows of two classes by a linear congruential generator, and their folds."""
    state = seed

    def uniform():
        nonlocal state
        state = (1103515245 * state + 12345) % 2**31
        return state / 2**31

    x, y = np.zeros((n, 3)), np.arange(n) % 2
    for i in range(n):
        for j in range(3):
            x[i, j] = uniform() + uniform() + uniform() + uniform() - 2
        x[i, 0] += 0.5 * y[i]
        x[i, 1] *= 1 + y[i]
    return x, y, np.arange(n) // 2 % 5


class Standardise(BaseEstimator, TransformerMixin):
    """Mean 0 and standard deviation 1 with divisor n-1, as e1071."""

    def fit(self, x, y=None):
        self.mean, self.sd = x.mean(axis=0), x.std(axis=0, ddof=1)
        return self

    def transform(self, x):
        return (x - self.mean) / self.sd


searches = {
    "knn": (KNeighborsClassifier(algorithm="brute"), {"n_neighbors": [1, 3, 7, 15, 25]}, "neg_brier_score"),
    # exp(-gamma |x-z|^2 / d) with d = 3 columns
    "svm": (Pipeline([("scale", Standardise()), ("svm", SVC(tol=1e-8))]),
            {"svm__C": [0.1, 1, 10], "svm__gamma": [0.1 / 3, 1 / 3, 3 / 3]}, "roc_auc"),
}

with open("golden.csv", "w", newline="") as file:
    out = csv.writer(file, lineterminator="\n")
    out.writerow(["learner", "seed", "n", "choice", "scores"])
    for seed in range(1, 11):
        n = 60 + 20 * seed
        x, y, fold = draw(seed, n)
        for name, (learner, grid, scoring) in searches.items():
            s = GridSearchCV(learner, grid, scoring=scoring, cv=PredefinedSplit(fold)).fit(x, y)
            scores = s.cv_results_["mean_test_score"]
            if name == "knn":
                scores = -2 * scores  # scikit-learn sums over one class, Brier over both
            out.writerow([name, seed, n, s.best_index_, " ".join(repr(float(v)) for v in scores)])
