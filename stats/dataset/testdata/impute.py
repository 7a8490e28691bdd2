"""Writes impute.csv: missing values filled in by scikit-learn 1.2.1 (numpy 1.24.2, Debian 12).
Run: /usr/bin/python3 impute.py > impute.csv
The columns of both samples are divided by the training sd before KNNImputer, as dataset.Imputer does."""
import numpy as np
from sklearn.impute import KNNImputer, SimpleImputer

rng = np.random.default_rng(15)
train, test = rng.normal(size=(14, 4)) * [1, 10, 0.1, 100], rng.normal(size=(6, 4)) * [1, 10, 0.1, 100]
for x, share in ((train, 0.2), (test, 0.4)):
    x[rng.random(x.shape) < share] = np.nan
sd = np.nanstd(train, axis=0)
filled = {
    "mean": SimpleImputer(strategy="mean").fit(train).transform(test),
    "median": SimpleImputer(strategy="median").fit(train).transform(test),
    "knn": KNNImputer(n_neighbors=5).fit(train / sd).transform(test / sd) * sd,
}
print("what,x1,x2,x3,x4")
for what, x in [("train", train), ("test", test), *filled.items()]:
    for row in x:
        print(",".join([what] + ["" if np.isnan(v) else repr(float(v)) for v in row]))
