"""Reads CSV files as pandas or polars data frames."""

from __future__ import annotations

import csv
import gzip
import importlib.util
import math
import re
from pathlib import Path
from typing import IO, Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence

LIBRARIES = ("pandas", "polars")
MISSING = ["", "NA"]

# A number in decimal notation. Levels such as 01 or of more than 15 digits can be identifiers.
NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,14})(\.[0-9]+)?([eE][-+]?[0-9]+)?")


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


def numbered(rows: Iterable[Mapping[str, Any]], texts: Sequence[str]) -> List[Dict[str, Any]]:
    """Return rows in which the levels of a factor are numbers if no information is lost. The entries named in
    texts stay texts."""
    converted = [dict(row) for row in rows]
    for name in {name for row in converted for name in row}.difference(texts):
        levels = list({row[name] for row in converted if name in row})
        if _are_numbers(levels):
            numbers = dict(zip(levels, _values(levels)))
            for row in converted:
                if name in row:
                    row[name] = numbers[row[name]]
    return converted


def read(path: Path, texts: Sequence[str], wanted: Optional[str]) -> Any:
    """Read a CSV file. The columns named in texts stay texts. Columns of levels become numbers if no
    information is lost. Other columns become numbers or truth values if all their entries are. An empty
    entry is missing. NA is missing, except in levels and texts, where it can be a name."""
    if library(wanted) == "polars":
        return make(columns(path, texts), "polars")
    import pandas

    with _open(path) as file:
        names = next(csv.reader(file))
    levels, absent = _levels(names, texts), _absent(names)
    frame = pandas.read_csv(
        path,
        dtype={**dict.fromkeys(levels, "str"), **{name: "category" for name in texts if name in names}},
        keep_default_na=False,
        na_values={name: _missing(name, texts, levels) for name in names},
        float_precision="round_trip",
    )
    for name in levels:
        different = [level for level in frame[name].dropna().unique() if level not in absent]
        if _are_numbers(different):
            frame[name] = frame[name].map(dict(zip(different, _values(different))))
    return frame


def columns(path: Path, texts: Sequence[str]) -> Dict[str, List[Any]]:
    """Return the columns of a CSV file, converted as in read."""
    with _open(path) as file:
        rows = csv.reader(file)
        names = next(rows)
        entries: List[List[str]] = [[] for _ in names]
        for row in rows:
            for column, entry in zip(entries, row):
                column.append(entry)
    levels, absent = _levels(names, texts), _absent(names)
    converted: Dict[str, List[Any]] = {}
    for name, column in zip(names, entries):
        stays_text = name in texts or name in levels and not _are_numbers(set(column).difference(absent))
        converted[name] = _texts(column, _missing(name, texts, levels)) if stays_text else _values(column)
    return converted


def _levels(names: Sequence[str], texts: Sequence[str]) -> List[str]:
    """Return the columns of factors, which come before the column replicate or classifier."""
    ends = [names.index(name) for name in ("replicate", "classifier") if name in names]
    return [name for name in names[: min(ends, default=0)] if name not in texts]


def _absent(names: Sequence[str]) -> Sequence[str]:
    """Return the entries in columns of levels that can mean that a cell does not have the factor."""
    return [""] if "replicate" in names else MISSING  # tables contain NA instead of an empty entry


def _missing(name: str, texts: Sequence[str], levels: Sequence[str]) -> Sequence[str]:
    """Return the entries that mean a missing value. A level, class or classifier can have the name NA."""
    can_be_named_na = name in levels or name in texts and name not in ("confusion", "data_file")
    return [""] if can_be_named_na else MISSING


def _are_numbers(levels: Iterable[str]) -> bool:
    """Report whether levels can become numbers so that different levels stay different."""
    texts = list(levels)
    if not all(NUMBER.fullmatch(text) for text in texts):
        return False
    numbers = {float(text) for text in texts}
    return len(numbers) == len(texts) and all(map(math.isfinite, numbers))


def _open(path: Path) -> IO[str]:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8", newline="")
    return open(path, encoding="utf-8", newline="")


def _texts(column: List[str], missing: Sequence[str]) -> List[Optional[str]]:
    return [None if entry in missing else entry for entry in column]


def _values(column: List[str]) -> List[Any]:
    """Return entries as whole numbers, numbers, truth values or texts: the first type that fits all."""
    given = [entry for entry in column if entry not in MISSING]
    if len(given) == len(column) and _all(int, given):
        return [int(entry) for entry in column]
    if _all(float, given):
        return [float("nan") if entry in MISSING else float(entry) for entry in column]
    if _all(_truth, given):
        return [None if entry in MISSING else _truth(entry) for entry in column]
    return _texts(column, MISSING)


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
