import copse
import pytest

numpy = pytest.importorskip("numpy", reason="NOT TESTED: needs numpy")
pytest.importorskip("sklearn", reason="NOT TESTED: needs scikit-learn")

from sklearn.base import clone  # noqa: E402
from sklearn.datasets import load_iris  # noqa: E402
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis  # noqa: E402
from sklearn.model_selection import GridSearchCV, cross_val_score  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402

X, y = load_iris(return_X_y=True)
NAMES = numpy.array(["setosa", "versicolor", "a, b"])[y]  # not in alphabetical order


def test_an_estimator_predicts_like_the_same_method_of_scikit_learn():
    rows = numpy.arange(len(X)) % 3 > 0
    own = copse.Estimator("lda").fit(X[rows], NAMES[rows])
    reference = LinearDiscriminantAnalysis().fit(X[rows], NAMES[rows])
    assert (own.classes_ == reference.classes_).all()
    assert (own.predict(X) == reference.predict(X)).all()
    assert numpy.allclose(own.predict_proba(X), reference.predict_proba(X), atol=1e-9)
    assert (own.classes_[own.decision_function(X).argmax(axis=1)] == reference.predict(X)).all()


def test_an_estimator_predicts_like_a_study():
    rows = numpy.arange(len(X)) % 3 > 0
    for name, chosen in ("train", rows), ("test", ~rows):
        with open(name + ".csv", "w") as file:
            file.write("x1,x2,x3,x4,class\n")
            file.writelines(",".join(map(repr, [*x.tolist(), c])) + "\n" for x, c in zip(X[chosen], y[chosen].tolist()))
    study = copse.Study("same", seed=1, replicates=1, data={"csv": "train.csv", "test": {"csv": "test.csv"}},
                        classifiers=["nb"])
    errors = study.run(progress=False).records()["errors"].tolist()
    labels = copse.Estimator("nb").fit(X[rows], y[rows]).predict(X[~rows])
    assert errors == [(labels != y[~rows]).sum()]


def test_scikit_learn_clones_searches_and_validates_estimators():
    copied = clone(copse.Estimator("knn", seed=4, k=3)).set_params(seed=5, k=9)
    assert copied.get_params() == {"name": "knn", "seed": 5, "k": 9}
    search = GridSearchCV(copse.Estimator("knn"), {"k": [1, 73]}, cv=2).fit(X, y)
    assert search.best_params_ == {"k": 1}
    assert cross_val_score(make_pipeline(StandardScaler(), copse.Estimator("lda")), X, y, cv=2).min() > 0.9


def test_calls_with_the_same_rows_agree():
    forest = copse.Estimator("rf").fit(X[::2], y[::2])
    every = forest.predict_proba(X)
    assert (forest.predict_proba(X) == every).all()
    assert (every.max(axis=1) == every[numpy.arange(len(X)), forest.predict(X)]).all()
    assert (forest.set_params(seed=2).predict_proba(X) != every).any()


@pytest.mark.parametrize("name", ["nb", "knn"])
def test_a_prediction_does_not_depend_on_the_other_rows(name):
    pandas = pytest.importorskip("pandas")
    random = numpy.random.default_rng(1)
    codes = pandas.Categorical.from_codes(random.integers(0, 3, 60), [10, 9, 8])
    frame = pandas.DataFrame({"class": random.normal(size=60), "is": random.random(60) < 0.5, "code": codes})
    frame["is"] = frame["is"].where(random.random(60) < 0.9)  # some values are missing
    frame.loc[3, "code"] = None
    impute = {} if name == "nb" else {"impute": "median"}
    own = copse.Estimator(name, **impute).fit(frame, frame["class"] + random.normal(size=60) > 0)
    assert own.classes_.tolist() == [False, True]
    every = own.predict(frame)
    assert set(every) == {False, True}
    for rows in [3], range(10), [59, 4]:
        assert (own.predict(frame.iloc[rows]) == every[rows]).all()


def test_errors_name_the_column_or_the_key():
    with pytest.raises(ValueError, match="^classifiers.slb: takes at most 2 classes, but train.csv has 3; add"):
        copse.Estimator("slb").fit(X, y)
    with pytest.raises(ValueError, match='classifiers.knn.kk: unknown'):
        copse.Estimator("knn", kk=3).fit(X, y)
    with pytest.raises(ValueError, match="y has the shape"):
        copse.Estimator("lda").fit(X, y[1:])
    with pytest.raises(ValueError, match="column x1: inf is not a finite number"):
        copse.Estimator("lda").fit([[numpy.inf], [1.0]], [0, 1])
    with pytest.raises(ValueError, match="the fit failed: knn: k is 151, but the training set has only 150 rows"):
        copse.Estimator("knn", k=151).fit(X, y).predict(X)
    with pytest.warns(UserWarning, match="a class's covariance is singular"):
        copse.Estimator("qda").fit(X[48:54], y[48:54]).predict(X)
    two = y < 2
    svm = copse.Estimator("svm").fit(X[two], y[two])
    with pytest.raises(ValueError, match='svm has no class probabilities; add the key probabilities="platt"'):
        svm.predict_proba(X)
    assert svm.set_params(probabilities="platt").predict_proba(X[two]).sum(axis=1) == pytest.approx(numpy.ones(100))
    with pytest.raises(ValueError, match="X has the columns x1, x2, but the training rows have x1, x2, x3, x4"):
        svm.predict(X[:, :2])
    texts = copse.Estimator("nb").fit([["a"], ["b"], ["a"], ["b"]], [0, 1, 0, 1])
    with pytest.raises(ValueError, match="column x1: no training row has the level 'c'"):
        texts.predict([["a"], ["c"]])
