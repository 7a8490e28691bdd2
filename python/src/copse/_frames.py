"""Reads CSV files as data frames of pandas or polars."""

from __future__ import annotations

import csv
import gzip
import importlib.util
from pathlib import Path
from typing import IO, Any, Callable, Dict, List, Mapping, Optional, Sequence

LIBRARIES = ("pandas", "polars")


def library(wanted: Optional[str]) -> str:
    """Return the library of data frames: the requested one, or the first that is installed."""
    if wanted is not None and wanted not in LIBRARIES:
        raise ValueError("frame: unknown library %r; use one of %s" % (wanted, ", ".join(LIBRARIES)))
    for name in LIBRARIES if wanted is None else (wanted,):
        if importlib.util.find_spec(name) is not None:
            return name
    raise ImportError("data frames need %s; install it with pip" % (wanted or " or ".join(LIBRARIES)))


def make(columns: Mapping[str, Sequence[Any]], wanted: Optional[str]) -> Any:
    """Return a data frame of columns."""
    if library(wanted) == "pandas":
        import pandas

        return pandas.DataFrame(dict(columns))
    import polars

    return polars.DataFrame(dict(columns))


def of_rows(rows: Sequence[Mapping[str, Any]], wanted: Optional[str]) -> Any:
    """Return a data frame of rows. Its columns are all keys of the rows."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    return make({name: [row.get(name) for row in rows] for name in names}, wanted)


def read(path: Path, texts: Sequence[str], wanted: Optional[str]) -> Any:
    """Read a CSV file. The columns named in texts stay texts. Other columns become numbers or
    truth values if all their entries are. An empty entry is missing, and so is NA except in texts."""
    if library(wanted) == "polars":
        return make(columns(path, texts), "polars")
    import pandas

    with _open(path) as file:
        names = next(csv.reader(file))
    return pandas.read_csv(
        path,
        dtype={name: "category" for name in texts if name in names},
        keep_default_na=False,
        na_values={name: [""] if name in texts else ["", "NA"] for name in names},
        float_precision="round_trip",
    )


def columns(path: Path, texts: Sequence[str]) -> Dict[str, List[Any]]:
    with _open(path) as file:
        rows = csv.reader(file)
        names = next(rows)
        entries: List[List[str]] = [[] for _ in names]
        for row in rows:
            for column, entry in zip(entries, row):
                column.append(entry)
    return {
        name: _texts(column) if name in texts else _values(column) for name, column in zip(names, entries)
    }


def _open(path: Path) -> IO[str]:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8", newline="")
    return open(path, encoding="utf-8", newline="")


def _texts(column: List[str]) -> List[Optional[str]]:
    return [entry or None for entry in column]


def _values(column: List[str]) -> List[Any]:
    """Return entries as whole numbers, numbers, truth values or texts: the first type that fits all."""
    missing = ("", "NA")
    given = [entry for entry in column if entry not in missing]
    if len(given) == len(column) and _all(int, given):
        return [int(entry) for entry in column]
    if _all(float, given):
        return [float("nan") if entry in missing else float(entry) for entry in column]
    if _all(_truth, given):
        return [None if entry in missing else _truth(entry) for entry in column]
    return _texts(column)


def _all(convert: Callable[[str], Any], entries: List[str]) -> bool:
    """Report whether a function can convert all entries."""
    try:
        for entry in entries:
            convert(entry)
    except ValueError:
        return False
    return True


def _truth(entry: str) -> bool:
    if entry not in ("true", "false"):
        raise ValueError(entry)
    return entry == "true"
