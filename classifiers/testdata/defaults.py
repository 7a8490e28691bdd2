# Golden probabilities of knn and logistic at the rows of classics.csv after the first 120, to
# which the classifiers are fitted; two and three classes.
#   cd classifiers/testdata && /usr/bin/python3 defaults.py
# Debian's scikit-learn 1.2.1, numpy 1.24.2.
# knn: KNeighborsClassifier(5) on standardised columns. none: LogisticRegression without a
# penalty. The number of classes and the class follow.
import csv
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

with open("classics.csv") as file:
    rows = list(csv.DictReader(file))
x = np.array([[float(v) for v in list(r.values())[:4]] for r in rows])
three = np.array([int(r["label"]) for r in rows])
train, test = slice(0, 120), slice(120, None)

columns = {}
for classes, y in ((2, (three == 0).astype(int)), (3, three)):
    models = {
        "knn": KNeighborsClassifier(5),
        "none": LogisticRegression(penalty=None, solver="newton-cg", tol=1e-10, max_iter=1000),
    }
    for name, model in models.items():
        p = make_pipeline(StandardScaler(), model).fit(x[train], y[train]).predict_proba(x[test])
        for c in range(classes):
            columns[f"{name}{classes}{c}"] = p[:, c]

with open("defaults.csv", "w") as file:
    out = csv.writer(file, lineterminator="\n")
    out.writerow(columns)
    out.writerows([f"{v:.12g}" for v in row] for row in zip(*columns.values()))
