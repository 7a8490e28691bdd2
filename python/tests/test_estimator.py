import copse
import pytest

numpy = pytest.importorskip("numpy", reason="NOT TESTED: needs numpy")
pytest.importorskip("sklearn", reason="NOT TESTED: needs scikit-learn")

from sklearn.base import clone  # noqa: E402
from sklearn.datasets import load_iris  # noqa: E402
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis  # noqa: E402
from sklearn.model_selection import GridSearchCV, cross_val_score  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import OneHotEncoder, StandardScaler  # noqa: E402

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


def test_scikit_learn_clones_searches_and_validates_estimators():
    copied = clone(copse.Estimator("knn", seed=4, k=3)).set_params(seed=5, k=9)
    assert copied.get_params() == {"name": "knn", "seed": 5, "k": 9}
    search = GridSearchCV(copse.Estimator("knn"), {"k": [1, 73]}, cv=2).fit(X, y)
    assert search.best_params_ == {"k": 1}
    assert cross_val_score(make_pipeline(StandardScaler(), copse.Estimator("lda")), X, y, cv=2).min() > 0.9


@pytest.mark.parametrize("name", ["nb", "rf", "boosting"])
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
    every = own.predict_proba(frame)
    assert set(every.argmax(axis=1)) == {0, 1}
    for rows in [3], range(10), [59, 4]:
        assert (own.predict_proba(frame.iloc[rows]) == every[rows]).all()


def test_the_seed_determines_a_random_forest():
    def probabilities(seed):
        return copse.Estimator("rf", seed=seed).fit(X[::2], y[::2]).predict_proba(X)

    assert (probabilities(1) == probabilities(1)).all()
    assert (probabilities(1) != probabilities(2)).any()


def test_wrong_rows_are_errors():
    with pytest.raises(ValueError, match="y has the shape"):
        copse.Estimator("lda").fit(X, y[1:])
    with pytest.raises(TypeError, match="X is a sparse matrix; use X.toarray"):
        copse.Estimator("lda").fit(OneHotEncoder().fit_transform(NAMES.reshape(-1, 1)), y)
    with pytest.raises(ValueError, match="column x1: inf is not a finite number"):
        copse.Estimator("lda").fit([[numpy.inf], [1.0]], [0, 1])
    own = copse.Estimator("nb").fit([["?", "c;d"], ["NA", "c;d"], ["?", "e"], ["NA", "e"]], ["f,g", "h", "f,g", "h"])
    assert own.predict([["?", "e"], ["NA", "c;d"], [None, None]]).tolist() == ["f,g", "h", "f,g"]
    with pytest.raises(ValueError, match="X has the columns x1, but the training rows have x1, x2"):
        own.predict([["?"]])
    with pytest.raises(ValueError, match="column x2: no training row has the level 'c'"):
        own.predict([["?", "c"]])


def test_unusual_classes_and_levels():
    names = numpy.array(["a\nb", "a\u2028b", '"a"'])[y]  # line breaks for csv, for str.splitlines
    own = copse.Estimator("lda").fit(X, names)
    assert (own.predict(X) == copse.Estimator("lda").fit(X, y).predict(X).choose(["a\nb", "a\u2028b", '"a"'])).all()
    rows = numpy.empty((8, 2), object)
    rows[:, 0] = list(numpy.array([True, False] * 4))  # truth values of numpy
    rows[:, 1] = list(numpy.array([1, 2, numpy.nan, 1] * 2, numpy.float32))
    assert copse.Estimator("nb").fit(rows, [0, 1] * 4).predict(rows).tolist() == [0, 1] * 4


@pytest.mark.parametrize("text", ["", " a", "a\u00a0", "a\rb"])
def test_texts_that_copse_would_change_are_errors(text):
    with pytest.raises(ValueError, match="y: .* is empty, or has surrounding blanks or carriage returns"):
        copse.Estimator("lda").fit(X[:2], ["a", text])
    with pytest.raises(ValueError, match="column x1: .* is empty, or has surrounding blanks or carriage returns"):
        copse.Estimator("lda").fit([["a"], [text]], [0, 1])


def test_missing_classes_are_errors():
    for missing in [1, numpy.nan], ["a", None]:
        with pytest.raises(ValueError, match="y contains missing values"):
            copse.Estimator("lda").fit(X[:2], missing)


def test_errors_and_warnings_of_the_fit():
    with pytest.raises(copse.CopseError, match='unknown classifier "slbb"; did you mean "slb"'):
        copse.Estimator("slbb").fit(X, y).predict(X)
    with pytest.raises(copse.CopseError, match='unknown parameter of knn; did you mean "k"'):
        copse.Estimator("knn", kk=3).fit(X, y).predict(X)
    with pytest.raises(copse.CopseError, match="k is 151, but the training set has only 150 rows"):
        copse.Estimator("knn", k=151).fit(X, y).predict(X)
    with pytest.warns(UserWarning, match="^a class's covariance is singular"):
        copse.Estimator("qda").fit(X[48:54], y[48:54]).predict(X)
    two = y < 2
    svm = copse.Estimator("svm").fit(X[two], y[two])
    with pytest.raises(copse.CopseError, match="no class probabilities"):
        svm.predict_proba(X)
    assert svm.set_params(probabilities="platt").predict_proba(X).sum(axis=1) == pytest.approx(numpy.ones(150))
    assert (copse.Estimator("svm", multiclass="ovr").fit(X, y).predict(X) == y).mean() > 0.9
