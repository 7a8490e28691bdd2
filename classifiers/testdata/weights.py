# Golden values of class weights at the rows of classics.csv after the first 120, to which the
# classifiers are fitted; two and three classes, each with the weights balanced and those of OWN.
#   cd classifiers/testdata && /usr/bin/python3 weights.py
# Debian's scikit-learn 1.2.1, numpy 1.24.2.
# logistic: LogisticRegression without a penalty, predict_proba. boosting: the gradient boosting
# of histograms, predict_proba. svm: SVC on standardised columns (here with divisor n), decision_function of the
# pairs.
# The number of classes, the weights (b or o) and the class or pair follow.
# weights-trees.csv: the column (from 0) and the threshold of the root of a tree of all rows.
import csv
import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

OWN = {0: 3, 1: 0.5, 2: 1}
with open("classics.csv") as file:
    rows = list(csv.DictReader(file))
x = np.array([[float(v) for v in list(r.values())[:4]] for r in rows])
three = np.array([int(r["label"]) for r in rows])
train, test = slice(0, 120), slice(120, None)
own = lambda classes: {c: OWN[c] for c in range(classes)}

columns, roots = {}, []
for classes, y in ((2, (three == 0).astype(int)), (3, three)):
    for letter, weight in (("b", "balanced"), ("o", own(classes))):
        models = {
            "logistic": LogisticRegression(penalty=None, solver="newton-cg", tol=1e-10, max_iter=1000, class_weight=weight),
            "boosting": HistGradientBoostingClassifier(
                max_iter=20, l2_regularization=1, early_stopping=False, class_weight=weight),
            "svm": SVC(gamma=0.25 * 119 / 120, C=2, tol=1e-10, class_weight=weight, decision_function_shape="ovo"),
        }
        for name, model in models.items():
            model = make_pipeline(StandardScaler(), model).fit(x[train], y[train])
            if name == "svm":
                values = model.decision_function(x[test]).reshape(80, -1)
            else:
                values = model.predict_proba(x[test])
            for k in range(values.shape[1]):
                columns[f"{name}{classes}{letter}{k}"] = values[:, k]
        tree = DecisionTreeClassifier(class_weight=weight).fit(x[train], y[train]).tree_
        roots.append((classes, letter, tree.feature[0], f"{tree.threshold[0]:.9g}"))

with open("weights.csv", "w") as file:
    out = csv.writer(file, lineterminator="\n")
    out.writerow(columns)
    out.writerows([f"{v:.12g}" for v in row] for row in zip(*columns.values()))
with open("weights-trees.csv", "w") as file:
    csv.writer(file, lineterminator="\n").writerows([("classes", "weights", "column", "threshold"), *roots])
