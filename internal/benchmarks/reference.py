"""The reference's side of boosting and of the fits to 100,000 and a million rows:

    python3 reference.py PART WORK ROUND REPEATS

as reference.R. One thread, by OMP_NUM_THREADS.
"""
import resource
import sys
import time

import pandas
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

part, work, round_, repeats = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])


def read(name):
    t = pandas.read_csv(f"{work}/data/{name}")
    return t.drop(columns="class").to_numpy(), t["class"].to_numpy()


def cpu():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def measure(side, recipe):
    """Times fit and prediction and keeps the last labels."""
    for k in range(1, repeats + 1):
        busy, start = cpu(), time.time()
        labels = recipe().fit(*train).predict(test[0])
        with open(f"{work}/times.csv", "a") as f:
            f.write(f"{part},{side},{round_},{k},{cpu() - busy:.6f},{time.time() - start:.6f},0\n")
    with open(f"{work}/answers/{part}-{side}.csv", "w") as f:
        f.writelines(f"{label}\n" for label in labels)


def boosting():
    measure("scikit-learn", lambda: HistGradientBoostingClassifier(early_stopping=False, l2_regularization=1.0))
    if data != "train":
        return
    import xgboost

    measure("XGBoost", lambda: xgboost.XGBClassifier(
        tree_method="hist", grow_policy="lossguide", max_leaves=31, max_depth=0, n_estimators=100, learning_rate=0.1, n_jobs=1))


parts = {
    "boosting": boosting,
    "5nn": lambda: measure("scikit-learn", lambda: KNeighborsClassifier(5)),
    "rf": lambda: measure("scikit-learn", lambda: RandomForestClassifier(50)),
    "qda": lambda: measure("scikit-learn", QuadraticDiscriminantAnalysis),
    "svm": lambda: measure("scikit-learn", lambda: make_pipeline(StandardScaler(), SVC(gamma=1 / train[0].shape[1], cache_size=200))),
    "logistic": lambda: measure("scikit-learn", lambda: make_pipeline(StandardScaler(), LogisticRegression())),
}
name, _, data = part.partition("-")
data = data or "train"
train, test = read(f"{data}.csv"), read("test.csv" if data == "train" else f"{data}-test.csv")
parts[name]()
