"""Offers the classifiers of copse as estimators of scikit-learn."""

from __future__ import annotations

import csv
import io
import json
import math
import tempfile
import warnings
from numbers import Real
from pathlib import Path
from typing import Any, Dict, Iterable, List

import numpy
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from . import _binary, _yaml

# The values of each column: numbers, or texts if the column is discrete. None is a missing value.
Columns = Dict[str, List[Any]]

# The types of levels. An object array of truth values contains those of numpy.
LEVELS = (str, bool, numpy.bool_)


class Estimator(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier of copse with the methods of an estimator of scikit-learn.

    name is a classifier of copse (copse list classifiers), and keys are its keys in a study except tune, such as
    Estimator("slb", probabilities="platt"). The same seed gives the same predictions.

    X is an array, or a data frame with named columns. Columns of texts, truth values or categories are discrete;
    other columns are numeric. NaN and None are missing values.

    copse does not store fitted classifiers. Each call of predict, predict_proba and decision_function therefore
    fits the classifier to the training rows again, with the command copse classify. If the fit fails, the call
    raises CopseError.
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
        """Store the training rows. X has the shape (rows, columns), and y contains the class of each row."""
        columns, labels = _columns(X), numpy.asarray(y)
        if labels.shape != (_height(columns),):
            raise ValueError("y has the shape %s, but X has %d rows" % (labels.shape, _height(columns)))
        if any(map(_is_missing, labels.tolist())):
            raise ValueError("y contains missing values")
        self.classes_, codes = numpy.unique(labels, return_inverse=True)
        _check_texts("y", self._class_names())
        self.n_features_in_ = len(columns)
        self._columns, self._codes = columns, codes.tolist()
        return self

    def predict(self, X: Any) -> Any:
        """Return the class of each row."""
        names = self._class_names()
        return self.classes_[[names.index(label) for label in self._predictions(X)["prediction"]]]

    def predict_proba(self, X: Any) -> Any:
        """Return the probability of each class, in the order of classes_. The shape is (rows, classes)."""
        return self._of_classes("p_", self._predictions(X, "--probabilities"))

    def decision_function(self, X: Any) -> Any:
        """Return the score of each class. With two classes, return the second score minus the first score."""
        scores = self._of_classes("score_", self._predictions(X, "--scores"))
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def _class_names(self) -> List[str]:
        check_is_fitted(self)
        return [str(name) for name in self.classes_.tolist()]

    def _of_classes(self, prefix: str, predictions: Columns) -> Any:
        return numpy.array([predictions[prefix + name] for name in self._class_names()], float).T

    def _predictions(self, X: Any, *flags: str) -> Columns:
        """Fit the classifier to the training rows, and return the columns that copse classify writes for X."""
        names, rows = self._class_names(), _columns(X)
        self._check(rows)
        label = _new_name("class", rows)
        arguments = ["classify", "--classifier", self.name, "--seed", str(self.seed), *flags]
        for key, value in self.keys.items():
            arguments += ["--param", "%s=%s" % (key, _yaml.flow(value))]
        with tempfile.TemporaryDirectory() as folder:
            _write(Path(folder, "train.csv"), {**self._columns, label: [names[code] for code in self._codes]})
            _write(Path(folder, "test.csv"), rows)
            fields = [*map(_field, self._columns.items()), {"name": label, "type": "string"}]
            schema = json.dumps({"fields": fields, "missingValues": [""], "class": label})
            for name in "train", "test":
                Path(folder, name + ".schema.json").write_text(schema, encoding="utf-8")
            done = _binary.run([*arguments, "--train", "train.csv", "--test", "test.csv"], folder)
        for line in done.stderr.splitlines():
            warnings.warn(line.replace("warning: ", "", 1), stacklevel=3)
        header, *entries = csv.reader(io.StringIO(done.stdout))  # a class can contain line breaks
        return dict(zip(header, map(list, zip(*entries))))

    def _check(self, rows: Columns) -> None:
        """Raise an error if rows do not have the columns of the training rows, or have levels that these rows lack."""
        if list(rows) != list(self._columns):
            raise ValueError("X has the columns %s, but the training rows have %s"
                             % (", ".join(rows), ", ".join(self._columns)))
        for name, column in self._columns.items():
            unknown = set(rows[name]).difference(column, [None]) if _is_discrete(column) else None
            if unknown:
                raise ValueError("column %s: no training row has the level %r" % (name, min(map(str, unknown))))


def _columns(X: Any) -> Columns:
    """Return the columns of a data frame by name, or those of an array as x1, x2, ..."""
    if hasattr(X, "toarray"):
        raise TypeError("X is a sparse matrix; use X.toarray(), or OneHotEncoder(sparse_output=False) in a pipeline")
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
    """Return the values of a discrete column as strings, and other values unchanged. Missing values become None."""
    values = [None if _is_missing(value) else value for value in values]
    given = [value for value in values if value is not None]
    if is_category or all(isinstance(value, LEVELS) for value in given):
        _check_texts("column " + name, map(str, given))
        return [None if value is None else str(value) for value in values]
    for value in given:
        if isinstance(value, LEVELS) or not isinstance(value, Real) or math.isinf(value):
            raise ValueError("column %s: %r is not a finite number" % (name, value))
    return values


def _is_missing(value: Any) -> bool:
    """Report whether a value is None, NaN or pandas.NA."""
    is_nan = isinstance(value, (float, numpy.floating)) and math.isnan(value)
    return value is None or type(value).__name__ == "NAType" or is_nan


def _check_texts(place: str, texts: Iterable[str]) -> None:
    """Raise an error if a class or level is a text that copse would change when it reads the CSV file."""
    for text in texts:
        if not text or text != text.strip() or "\r" in text:
            raise ValueError("%s: %r is empty, or has surrounding blanks or carriage returns; rename it"
                             % (place, text))


def _is_discrete(column: List[Any]) -> bool:
    return any(isinstance(value, str) for value in column)


def _height(columns: Columns) -> int:
    return len(next(iter(columns.values())))


def _new_name(wanted: str, columns: Columns) -> str:
    """Return a name that no column has."""
    while wanted in columns:
        wanted += "_"
    return wanted


def _field(named: Any) -> Dict[str, str]:
    """Return the entry of a Table Schema for a pair of a name and a column."""
    name, column = named
    return {"name": name, "type": "string" if _is_discrete(column) else "number"}


def _write(path: Path, columns: Columns) -> None:
    """Write a CSV file. A missing value is an empty entry."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values()))
