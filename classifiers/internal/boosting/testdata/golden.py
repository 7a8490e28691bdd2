# Golden decision values of histogram gradient boosting.
# /usr/bin/python3 golden.py   (Debian's python3-sklearn 1.2.1)
#
# Rows 1..240 of golden.csv are the training rows. two, three0..2 are decision
# functions for two and for three classes; binned those of coarse bins and depth 3.
# scikit-learn rounds derivatives to single precision.
import numpy as np, pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier

rng = np.random.default_rng(1)
n = 300
label = np.arange(n) % 3
x = rng.normal(size=(n, 4)) + np.outer(label, [1, 0, -0.5, 0]) + np.outer(label == 1, [0, 1.2, 0, 0])
x[:, 3] = np.round(2 * x[:, 3]) + (x[:, 0] > 1)
x = np.round(x, 3)
two = (label == 0).astype(int)
t = slice(0, 240)

def fit(y, **o):
    m = HistGradientBoostingClassifier(early_stopping=False, random_state=0, **o).fit(x[t], y[t])
    return m.decision_function(x)

three = fit(label, max_iter=20, max_leaf_nodes=8, min_samples_leaf=7, l2_regularization=1.0)
out = pd.DataFrame(x, columns=["x1", "x2", "x3", "x4"])
out["label"] = label
out["two"] = fit(two, max_iter=25, max_leaf_nodes=10, min_samples_leaf=5, l2_regularization=1.0)
out["binned"] = fit(two, max_iter=30, learning_rate=0.2, max_bins=12, max_depth=3, min_samples_leaf=10, l2_regularization=0.0)
for k in range(3):
    out["three%d" % k] = three[:, k]
out.to_csv("golden.csv", index=False, float_format="%.10g")
