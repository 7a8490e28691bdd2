"""Offers the classifiers of copse as estimators of scikit-learn."""

from __future__ import annotations

import csv
import math
import os
import tempfile
import warnings
from numbers import Real
from pathlib import Path
from typing import Any, Dict, List, Tuple

import numpy
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from . import _frames
from .errors import FailedFits, StudyError
from .results import TEXTS
from .study import Study

# The values of each column: numbers or texts, and None for a missing value.
Columns = Dict[str, List[Any]]


class Estimator(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier of copse with the methods of an estimator of scikit-learn.

    name is a classifier of copse (copse list classifiers), and keys are its keys in a study, such as
    Estimator("slb", probabilities="platt").

    X is an array, or a data frame with named columns. Columns of texts, truth values or categories are discrete;
    other columns are numeric. NaN and None are missing values.

    copse does not store fitted classifiers. Each call of predict, predict_proba and decision_function fits the
    classifier to the training rows again. The random numbers of a fit depend on the seed, the training rows and X.
    Calls with the same X therefore agree, but a random forest can differ slightly between calls with different X.
    """

    def __init__(self, name: str, *, seed: int = 1, **keys: Any) -> None:
        self.name = name
        self.seed = seed
        self.keys = keys

    def get_params(self, deep: bool = True) -> Dict[str, Any]:
        """Return the name, the seed and the keys of the classifier."""
        return {"name": self.name, "seed": self.seed, **self.keys}

    def set_params(self, **params: Any) -> "Estimator":
        """Change the name, the seed or keys of the classifier."""
        keys = {**self.get_params(), **params}
        self.name, self.seed, self.keys = keys.pop("name"), keys.pop("seed"), keys
        return self

    def fit(self, X: Any, y: Any) -> "Estimator":
        """Store the training rows, and check them and the keys. X has the shape (rows, columns)."""
        columns, labels = _columns(X), numpy.asarray(y)
        if labels.shape != (_height(columns),):
            raise ValueError("y has the shape %s, but X has %d rows" % (labels.shape, _height(columns)))
        self.classes_, codes = numpy.unique(labels, return_inverse=True)
        self.n_features_in_ = len(columns)
        self._columns, self._codes = columns, codes.tolist()
        with tempfile.TemporaryDirectory() as folder:
            try:
                self._study(Path(folder), {name: [] for name in columns}).check(pilot=0)
            except StudyError as error:
                mistakes = "\n".join("%s: %s" % (mistake.key, mistake.message) for mistake in error.mistakes)
                raise ValueError(mistakes.replace(folder + os.sep, "")) from None
        return self

    def predict(self, X: Any) -> Any:
        """Return the class of each row."""
        predictions, order = self._predictions(X)
        return self.classes_[[order.index(label) for label in predictions["label"]]]

    def predict_proba(self, X: Any) -> Any:
        """Return the probability of each class, in the order of classes_. The shape is (rows, classes)."""
        predictions, order = self._predictions(X)
        probabilities = numpy.array([predictions["p_%d" % code] for code in order]).T
        if numpy.isnan(probabilities).any():
            raise ValueError('%s has no class probabilities; add the key probabilities="platt"' % self.name)
        return probabilities

    def decision_function(self, X: Any) -> Any:
        """Return the score of each class, or, with two classes, the score of the second minus that of the first."""
        predictions, order = self._predictions(X)
        scores = numpy.array([predictions["score_%d" % code] for code in order]).T
        return scores[:, 1] - scores[:, 0] if len(order) == 2 else scores

    def _predictions(self, X: Any) -> Tuple[Columns, List[int]]:
        """Fit the classifier to the training rows. Return its predictions for the rows of X, and the code that they
        have for each entry of classes_."""
        check_is_fitted(self)
        rows = _columns(X)
        self._check(rows)
        with tempfile.TemporaryDirectory() as folder:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", FailedFits)  # raised below
                results = self._study(Path(folder), rows).run(jobs=1, out=Path(folder) / "out", progress=False)
            record = {name: column[0] for name, column in _frames.columns(results._csv("records.csv"), TEXTS).items()}
            if record["status"] != "ok":
                raise ValueError("the fit failed: %s" % record["message"])
            if record["message"]:
                warnings.warn(record["message"], stacklevel=3)
            predictions = _frames.columns(results._exported_predictions(Path(folder)), TEXTS)
        height = _height(rows)
        order = predictions["truth"][height:]  # the last rows contain one row of each class
        return {name: column[:height] for name, column in predictions.items()}, order

    def _study(self, folder: Path, rows: Columns) -> Study:
        """Return a study that fits the classifier once and predicts the classes of rows, followed by the first
        training row of each class. The classes of rows are unknown, so the study gets an arbitrary one."""
        classes = [str(name) for name in self.classes_.tolist()]
        firsts = [self._codes.index(code) for code in range(len(classes))]
        test = {name: rows[name] + [column[i] for i in firsts] for name, column in self._columns.items()}
        label = _new_name("class", self._columns)
        train_codes, test_codes = self._codes, [0] * _height(rows) + list(range(len(classes)))
        _write(folder / "train.csv", {**self._columns, label: [classes[code] for code in train_codes]})
        _write(folder / "test.csv", {**test, label: [classes[code] for code in test_codes]})
        discrete = [name for name, column in self._columns.items() if _is_discrete(column)]
        return Study(
            "estimator",
            file=folder / "study.yaml",
            seed=self.seed,
            replicates=1,
            data={
                "csv": str(folder / "train.csv"),
                "test": {"csv": str(folder / "test.csv")},
                "class": label,
                "discrete": [*discrete, label],
                "numeric": [name for name in self._columns if name not in discrete],
                "missing_marks": [],
            },
            classifiers=[{"classifier": self.name, **self.keys}],
            predictions="keep",
        )

    def _check(self, rows: Columns) -> None:
        """Raise an error if rows have other columns than the training rows, or levels that these do not have."""
        if list(rows) != list(self._columns):
            raise ValueError("X has the columns %s, but the training rows have %s"
                             % (", ".join(rows), ", ".join(self._columns)))
        for name, column in self._columns.items():
            if _is_discrete(column):
                unknown = set(rows[name]).difference(column, [None])
                if unknown:
                    raise ValueError("column %s: no training row has the level %r" % (name, min(map(str, unknown))))


def _columns(X: Any) -> Columns:
    """Return the columns of a data frame by name, or those of an array as x1, x2, ..."""
    if hasattr(X, "columns"):
        named = [(str(name), X[name].to_list(), str(X[name].dtype).lower()) for name in X.columns]
    else:
        array = numpy.asarray(X)
        if array.ndim != 2:
            raise ValueError("X has the shape %s; it must have rows and columns" % (array.shape,))
        named = [("x%d" % j, column.tolist(), "") for j, column in enumerate(array.T, 1)]
    columns = {name: _column(name, values, dtype.startswith("categor")) for name, values, dtype in named}
    if not columns or len(columns) < len(named):
        raise ValueError("X has no columns, or two columns with the same name")
    return columns


def _column(name: str, values: List[Any], is_category: bool) -> List[Any]:
    """Return values as levels, which are texts, or as numbers. Missing values become None."""
    values = [None if _is_missing(value) else value for value in values]
    given = [value for value in values if value is not None]
    if is_category or all(isinstance(value, (str, bool)) for value in given):
        return [None if value is None else str(value) for value in values]
    for value in given:
        if isinstance(value, (str, bool)) or not isinstance(value, Real) or math.isinf(value):
            raise ValueError("column %s: %r is not a finite number" % (name, value))
    return values


def _is_missing(value: Any) -> bool:
    """Report whether a value is None, NaN or pandas.NA."""
    return value is None or type(value).__name__ == "NAType" or isinstance(value, float) and math.isnan(value)


def _is_discrete(column: List[Any]) -> bool:
    return any(isinstance(value, str) for value in column)


def _height(columns: Columns) -> int:
    return len(next(iter(columns.values())))


def _new_name(wanted: str, columns: Columns) -> str:
    """Return a name that no column has."""
    while wanted in columns:
        wanted += "_"
    return wanted


def _write(path: Path, columns: Columns) -> None:
    """Write a CSV file. A missing value is an empty entry."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values()))
