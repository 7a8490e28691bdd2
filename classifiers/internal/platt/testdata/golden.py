# Golden values of package platt.
#   cd classifiers/internal/platt/testdata && /usr/bin/python3 golden.py && Rscript golden.R
# Debian's scikit-learn 1.2.1, scipy 1.10.1, numpy 1.24.2; R 4.2.2.
# rows.csv: made-up scores. sigmoid.csv: scikit-learn's _sigmoid_calibration, which
# minimises the same sum by BFGS. couple.csv: the second approach of Wu, Lin and Weng (2004) by
# scipy's SLSQP from equal probabilities, which knows no linear system.
import csv
import numpy as np
from scipy.optimize import minimize
from sklearn.calibration import _sigmoid_calibration

rng = np.random.default_rng(1999)
cases = {}
for name, n, share, sharp, scale in [("balanced", 80, .5, 1., 1.), ("rare", 200, .06, 1.5, 1.), ("separated", 40, .5, 12., 1.), ("useless", 60, .5, 0., 1.), ("reversed", 60, .4, -1., 1.), ("ties", 50, .5, 1., 1.), ("small", 70, .5, 1., .01)]:
    y = (np.arange(n) < max(2, round(share * n))).astype(int)
    f = rng.normal(size=n) + sharp * (y - .5)
    if name == "ties":
        f = np.round(f)
    cases[name] = (np.round(f * scale, 6), y)

with open("rows.csv", "w", newline="") as out:
    w = csv.writer(out)
    w.writerow(["case", "f", "y"])
    for name, (f, y) in cases.items():
        for a, b in zip(f, y):
            w.writerow([name, f"{a:.17g}", b])

with open("sigmoid.csv", "w", newline="") as out:
    w = csv.writer(out)
    w.writerow(["case", "a", "b"])
    for name, (f, y) in cases.items():
        unit = f.std()  # so that BFGS stops at the optimum whatever the scale
        a, b = _sigmoid_calibration(f / unit, y)
        w.writerow([name, f"{a / unit:.17g}", f"{b:.17g}"])

with open("couple.csv", "w", newline="") as out:
    w = csv.writer(out)
    w.writerow(["classes", "r", "p"])
    for c in [2, 3, 3, 4, 6]:
        r = np.zeros((c, c))
        for a in range(c):
            for b in range(a + 1, c):
                r[a, b] = np.round(rng.uniform(.02, .98), 4)
                r[b, a] = 1 - r[a, b]
        loss = lambda p: sum((r[b, a] * p[a] - r[a, b] * p[b]) ** 2 for a in range(c) for b in range(c) if a != b)
        best = minimize(loss, np.full(c, 1 / c), bounds=[(0, 1)] * c, constraints={"type": "eq", "fun": lambda p: p.sum() - 1}, method="SLSQP", options={"ftol": 1e-16, "maxiter": 1000})
        w.writerow([c, " ".join(f"{r[a, b]:.17g}" for a in range(c) for b in range(a + 1, c)), " ".join(f"{v:.17g}" for v in best.x)])
