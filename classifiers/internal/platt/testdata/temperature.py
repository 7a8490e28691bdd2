# Golden inverse temperatures: scipy's minimum of the cross-entropy with Platt's targets.
#   cd classifiers/internal/platt/testdata && /usr/bin/python3 temperature.py
# Debian's scipy 1.10.1, numpy 1.24.2.
import csv
import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax

rng = np.random.default_rng(2017)
with open("temperature.csv", "w", newline="") as file:
    out = csv.writer(file)
    out.writerow(["case", "y", "scores", "inverse"])
    for case, n, classes, sharp, scale in [("two", 60, 2, 1.5, 1), ("three", 90, 3, 2, 100), ("separated", 40, 4, 30, 1),
                                           ("reversed", 50, 3, -1, 1), ("rare", 45, 3, 1, .001)]:
        y = rng.choice(classes, n, p=[.9, .05, .05] if case == "rare" else np.ones(classes) / classes)
        scores = np.round((rng.normal(size=(n, classes)) + sharp * np.eye(classes)[y]) * scale, 6)
        counts = np.bincount(y, minlength=classes)
        own = ((counts + 1) / (counts + 2))[y]
        targets = np.repeat(((1 - own) / (classes - 1))[:, None], classes, axis=1)
        targets[np.arange(n), y] = own
        unit = scores.std()
        loss = lambda b: -(targets * log_softmax(b * scores / unit, axis=1)).sum()
        best = minimize_scalar(loss, bounds=(0, 100), method="bounded", options={"xatol": 1e-10}).x / unit
        out.writerow([case, " ".join(map(str, y)), " ".join(f"{v:g}" for v in scores.ravel()), f"{best:.10g}"])
