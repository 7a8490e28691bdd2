# Made-up rows, of which the other scripts compute golden values: truth, label, probabilities, scores.
#   cd stats/metrics/testdata && /usr/bin/python3 rows.py
# Debian's numpy 1.24.2. Another processor can round np.exp differently and change the last digits
# of rows.csv. Run this script only to change the rows, and then all others.
import csv
import numpy as np

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
