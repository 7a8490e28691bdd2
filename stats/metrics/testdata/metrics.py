# Golden values of package metrics.
#   cd stats/metrics/testdata && /usr/bin/python3 metrics.py && Rscript metrics.R
# Debian's scikit-learn 1.2.1 with numpy 1.24.2; R 4.2.2 with pROC 1.18.0. rows.csv
# holds the made-up rows: truth, label, probabilities, scores.
import csv
import numpy as np
from sklearn import metrics as m

rng = np.random.default_rng(14)
cases = {}
for name, classes, n, sharp in [("two", 2, 60, 1.0), ("sharp", 2, 40, 6.0), ("three", 3, 80, 1.5), ("five", 5, 120, 0.8), ("votes", 3, 50, None)]:
    truth = rng.integers(0, classes, n)
    if sharp is None:  # shares of five votes: ties, zeros and ones
        favour = np.full((n, classes), 1.0 / classes)
        favour[np.arange(n), truth] += 1
        p = np.array([rng.multinomial(5, f / f.sum()) for f in favour]) / 5
        score = p * 5
    else:
        score = np.round(rng.normal(size=(n, classes)) * sharp + sharp * np.eye(classes)[truth], 2)
        p = np.exp(score - score.max(1, keepdims=True))
        p = p / p.sum(1, keepdims=True)
    cases[name] = (truth, p.argmax(1), p, score)
# A class without rows that is never predicted, and one that is never predicted.
truth, label = np.array([0, 0, 1, 1, 1, 0]), np.array([0, 1, 1, 1, 1, 0])
p = np.array([[.8, .2, 0], [.3, .7, 0], [.4, .6, 0], [0, 1, 0], [.1, .9, 0], [.9, .1, 0]])
cases["absent"] = (truth, label, p, p)
cases["never"] = (np.array([0, 1, 2, 0, 1, 2]), np.array([0, 1, 1, 0, 1, 0]),
                  np.array([[.8, .1, .1], [.1, .8, .1], [.2, .5, .3], [.6, .2, .2], [.3, .4, .3], [.5, .2, .3]]), np.arange(18.0).reshape(6, 3) % 7)

with open("rows.csv", "w", newline="") as f:
    w = csv.writer(f)
    w.writerow(["case", "truth", "label", "p", "score"])
    for name, (truth, label, p, score) in cases.items():
        for i in range(len(truth)):
            w.writerow([name, truth[i], label[i], " ".join(f"{v:.17g}" for v in p[i]), " ".join(f"{v:.17g}" for v in score[i])])


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
