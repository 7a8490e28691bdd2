# Scaled columns and principal components by scikit-learn.
# /usr/bin/python3 golden.py   (Debian's python3-sklearn 1.2.1, Python 3.11.2, numpy 1.24.2)
#
# Rows 1..40 of golden.csv are the training rows, x1..x3 their columns; x2 has ties, x3
# varies little. standard has divisor n-1. A component has the sign that makes its loading
# of largest magnitude positive.
import numpy as np, pandas as pd
from sklearn.decomposition import PCA
from sklearn.preprocessing import MinMaxScaler, QuantileTransformer, RobustScaler

rng = np.random.default_rng(7)
n = 50
x = rng.normal(size=(n, 3)) @ np.array([[2, 0.5, 0], [0, 1, 0.1], [0, 0, 0.2]]) + [5, -1, 0]
x[:, 1] = np.round(2 * x[:, 1])
x = np.round(x, 4)
train = x[:40]
out = {f"x{j + 1}": x[:, j] for j in range(3)}


def keep(name, values):
    for j in range(values.shape[1]):
        out[f"{name}{j + 1}"] = values[:, j]


keep("standard", (x - train.mean(axis=0)) / train.std(axis=0, ddof=1))
keep("robust", RobustScaler().fit(train).transform(x))
keep("minmax", MinMaxScaler().fit(train).transform(x))
keep("quantile", QuantileTransformer(n_quantiles=40).fit(train).transform(x))
pca = PCA().fit(train)
sign = np.sign(pca.components_[np.arange(3), np.abs(pca.components_).argmax(axis=1)])
keep("pca", pca.transform(x) * sign)
with open("golden.csv", "w") as file:
    file.write("# explained variance ratios: %s\n" % pca.explained_variance_ratio_)
    pd.DataFrame(out).to_csv(file, index=False, float_format="%.12g")
