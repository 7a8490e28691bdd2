# Golden values of package metrics, of the rows that rows.py made up.
#   cd stats/metrics/testdata && /usr/bin/python3 metrics.py && Rscript metrics.R
# Debian's scikit-learn 1.2.1 with numpy 1.24.2; R 4.2.2 with pROC 1.18.0.
import csv
import itertools
import numpy as np
from sklearn import metrics as m

cases = {}
with open("rows.csv") as f:
    for name, group in itertools.groupby(csv.DictReader(f), key=lambda row: row["case"]):
        rows = list(group)
        numbers = lambda column: np.array([[float(v) for v in row[column].split()] for row in rows])
        truth, label = (np.array([int(row[column]) for row in rows]) for column in ("truth", "label"))
        cases[name] = (truth, label, numbers("p"), numbers("score"))


def ece(truth, label, p, bins=15):  # Guo et al. (2017), Eq. 3
    confidence, right, total = p[np.arange(len(label)), label], truth == label, 0.0
    for b in range(bins):
        inside = (confidence > b / bins) & (confidence <= (b + 1) / bins)
        if inside.any():
            total += inside.sum() / len(truth) * abs(right[inside].mean() - confidence[inside].mean())
    return total


with open("metrics.csv", "w", newline="") as f:
    w = csv.writer(f)
    w.writerow(["case", "metric", "value"])
    for name, (truth, label, p, score) in cases.items():
        classes = p.shape[1]
        put = lambda metric, value: w.writerow([name, metric, "NA" if np.isnan(value) else f"{value:.17g}"])
        put("error", 1 - m.accuracy_score(truth, label))
        put("accuracy", m.accuracy_score(truth, label))
        put("ber", 1 - m.recall_score(truth, label, labels=np.unique(truth), average="macro"))
        put("f1", m.f1_score(truth, label, average="macro"))
        put("mcc", m.matthews_corrcoef(truth, label))
        put("kappa", m.cohen_kappa_score(truth, label))
        for k in range(classes):
            put(f"sensitivity:{k}", m.recall_score(truth == k, label == k) if (truth == k).any() else np.nan)
            put(f"precision:{k}", m.precision_score(truth == k, label == k, zero_division=0))
        put("log_loss", m.log_loss(truth, p, labels=range(classes), eps=1e-15))
        one = np.eye(classes)[truth]
        put("brier", 2 * m.brier_score_loss(truth, p[:, 1]) if classes == 2 else np.mean(np.sum((p - one) ** 2, axis=1)))
        put("ece", ece(truth, label, p))
        if classes == 2:
            put("auc", m.roc_auc_score(truth, np.round(score[:, 1] - score[:, 0], 10)))  # rounding alone ranks no rows
        elif len(np.unique(truth)) == classes:
            put("auc", m.roc_auc_score(truth, p, multi_class="ovo", average="macro"))
        for k in range(classes):
            value = np.round(score[:, k] - score[:, 1 - k], 10) if classes == 2 else p[:, k]
            put(f"average_precision:{k}", m.average_precision_score(truth == k, value) if (truth == k).any() else np.nan)
