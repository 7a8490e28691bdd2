"""Writes plain values as YAML 1.2, without a package for YAML."""

from __future__ import annotations

import json
import math
import re
from typing import Any, List, Mapping

PLAIN = re.compile(r"[A-Za-z_$][A-Za-z0-9_.$/-]*( [A-Za-z0-9_.$/-]+)*\Z")
RESERVED = {"true", "false", "null", "yes", "no", "on", "off"}
WIDTH = 100


def text(value: Mapping[str, Any]) -> str:
    """Return a mapping as YAML. Each key of the top level has a line or block of its own."""
    lines: List[str] = []
    _block(value, "", lines)
    return "\n".join(lines) + "\n"


def _block(value: Mapping[str, Any], indent: str, lines: List[str]) -> None:
    for key, below in value.items():
        head = indent + _scalar(str(key)) + ":"
        short = head + " " + flow(below)
        if len(short) <= WIDTH or not isinstance(below, (Mapping, list, tuple)):
            lines.append(short)
        elif isinstance(below, Mapping):
            lines.append(head)
            _block(below, indent + "  ", lines)
        else:
            lines.append(head)
            lines.extend("%s  - %s" % (indent, flow(item)) for item in below)


def flow(value: Any) -> str:
    """Return a value as YAML in one line. Texts are quoted if they would be read as another value."""
    if hasattr(value, "tolist"):
        value = value.tolist()  # an array or number of numpy, or a column of a data frame
    if isinstance(value, Mapping):
        return "{" + ", ".join("%s: %s" % (_scalar(str(k)), flow(v)) for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple, range)):
        return "[" + ", ".join(flow(item) for item in value) + "]"
    return _scalar(value)


def _scalar(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError("a study cannot contain %r" % value)
        return repr(value)
    if not isinstance(value, str):
        raise TypeError("a study cannot contain a %s%s" % (type(value).__name__, _advice(value)))
    if PLAIN.match(value) and value.lower() not in RESERVED:
        return value
    return json.dumps(value, ensure_ascii=False)


def _advice(value: Any) -> str:
    """Return the end of the error for a value that a study cannot contain."""
    if hasattr(value, "to_csv") or hasattr(value, "write_csv"):  # a data frame of pandas or polars
        return '; write it to a CSV file without row numbers, and use data={"csv": "data.csv", "folds": 5}'
    if hasattr(value, "get_params"):
        return (
            ': %r; name an estimator by its import path: {"classifier": "sklearn", "estimator": "sklearn.svm:SVC"}'
            % value
        )
    return ": %r" % value
