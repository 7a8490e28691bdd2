# Golden values of the curves of package metrics, of the rows that rows.py made up.
#   cd stats/metrics/testdata && /usr/bin/python3 curves.py
# Debian's scikit-learn 1.2.1 with numpy 1.24.2: roc_curve(drop_intermediate=False) and
# calibration_curve(strategy="uniform"), which leaves empty bins out.
import csv
import numpy as np
from sklearn.calibration import calibration_curve
from sklearn.metrics import roc_curve

cases = {}
for row in csv.DictReader(open("rows.csv")):
    truth, p, score = cases.setdefault(row["case"], ([], [], []))
    truth.append(int(row["truth"]))
    p.append([float(v) for v in row["p"].split()])
    score.append([float(v) for v in row["score"].split()])

text = lambda values: " ".join(f"{v:.17g}" for v in values)
with open("curves.csv", "w", newline="") as f:
    w = csv.writer(f)
    w.writerow(["case", "class", "false", "true", "bins", "predicted", "observed"])
    for name, (truth, p, score) in cases.items():
        truth, p, score = np.array(truth), np.array(p), np.array(score)
        for k in range(p.shape[1]):
            if not (truth == k).any():
                continue
            # rounding alone ranks no rows
            value = np.round(score[:, k] - score[:, 1 - k], 10) if p.shape[1] == 2 else p[:, k]
            false, true, _ = roc_curve(truth == k, value, drop_intermediate=False)
            for bins in (5, 10):
                observed, predicted = calibration_curve(truth == k, np.clip(p[:, k], 0, 1), n_bins=bins)
                w.writerow([name, k, text(false), text(true), bins, text(predicted), text(observed)])
