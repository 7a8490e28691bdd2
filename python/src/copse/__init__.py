"""Reproducible simulation studies that compare classifiers."""

from typing import Any

from ._binary import find as binary
from ._binary import version
from .errors import CopseError, FailedFits, Mistake, StudyError
from .results import Results
from .study import Check, Cost, Study

__all__ = [
    "Check", "CopseError", "Cost", "FailedFits", "Mistake", "Results", "Study", "StudyError", "binary", "version",
]


def __getattr__(name: str) -> Any:
    if name == "Estimator":  # needs scikit-learn, which the rest of the package does not need
        from .estimator import Estimator

        return Estimator
    if name in ("classifier", "generator", "task"):
        raise AttributeError(
            "copse.%s is available only in methods that copse starts; test one with copse try FILE" % name
        )
    raise AttributeError("module 'copse' has no attribute %r" % name)
