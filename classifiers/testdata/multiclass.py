# Golden scores and probabilities of multiclass: ovo and ovr at the rows of classics.csv after
# the first 120, to which the classifiers are fitted.
#   cd classifiers/testdata && /usr/bin/python3 multiclass.py
# Debian's scikit-learn 1.2.1, scipy 1.10.1, numpy 1.24.2.
# v, r: OneVsOneClassifier and OneVsRestClassifier of a linear SVC, decision_function.
# c: LDA's probabilities of the pairs, coupled by scipy's SLSQP (Wu, Lin and Weng 2004).
# p: OneVsRestClassifier of LDA, predict_proba.
import csv
import numpy as np
from scipy.optimize import minimize
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as LDA
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.svm import SVC

with open("classics.csv") as file:
    rows = list(csv.DictReader(file))
y = np.array([int(r["label"]) for r in rows])
x = np.array([[float(v) for v in list(r.values())[:4]] for r in rows])
train, test = slice(0, 120), slice(120, None)
svc = SVC(kernel="linear", C=1, tol=1e-10)
votes = OneVsOneClassifier(svc).fit(x[train], y[train]).decision_function(x[test])
rest = OneVsRestClassifier(svc).fit(x[train], y[train]).decision_function(x[test])
shares = OneVsRestClassifier(LDA()).fit(x[train], y[train]).predict_proba(x[test])

pairs = np.zeros((len(x[test]), 3, 3))
for a in range(3):
    for b in range(a + 1, 3):
        rows = (y[train] == a) | (y[train] == b)
        first = LDA().fit(x[train][rows], y[train][rows]).predict_proba(x[test])[:, 0]
        pairs[:, a, b], pairs[:, b, a] = first, 1 - first


def couple(r):
    def loss(p):
        return sum((r[b, a] * p[a] - r[a, b] * p[b]) ** 2 for a in range(3) for b in range(3) if a != b)
    sum_to_one = {"type": "eq", "fun": lambda p: p.sum() - 1}
    return minimize(loss, np.ones(3) / 3, bounds=[(0, 1)] * 3, constraints=[sum_to_one], method="SLSQP",
                    options={"ftol": 1e-16, "maxiter": 1000}).x


coupled = np.array([couple(r) for r in pairs])
with open("multiclass.csv", "w", newline="") as file:
    out = csv.writer(file)
    out.writerow([name + str(c) for name in "vrcp" for c in range(3)])
    for row in np.hstack([votes, rest, coupled, shares]):
        out.writerow([f"{v:.12g}" for v in row])
