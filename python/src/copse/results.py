"""Reads a results folder of copse as data frames."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Optional, Union

from . import _binary, _frames

PathLike = Union[str, "os.PathLike[str]"]

TEXTS = (
    "study", "cell", "classifier", "status", "data", "message", "confusion", "tuned", "data_file", "truth_class",
    "label_class",
)


class Results:
    """A results folder.

    frame names the library of the frames that the methods return: pandas or polars; by
    default pandas if it is installed.
    """

    def __init__(self, folder: PathLike) -> None:
        self.folder = Path(folder)
        if not (self.folder / "study.yaml").is_file():
            raise FileNotFoundError("%s is not a results folder, because it contains no study.yaml" % self.folder)

    @property
    def manifest(self) -> Dict[str, Any]:
        """The manifest, which describes how the records were made: seed, settings, runs, versions, checksums."""
        content: Dict[str, Any] = json.loads((self.folder / "manifest.json").read_text(encoding="utf-8"))
        return content

    def records(self, frame: Optional[str] = None) -> Any:
        """Return the records: one row per cell, replicate and classifier."""
        return _frames.read(self._csv("records.csv"), TEXTS, frame)

    def timings(self, frame: Optional[str] = None) -> Any:
        """Return the time in seconds and the peak memory of each fit."""
        return _frames.read(self._csv("timings.csv"), TEXTS, frame)

    def predictions(self, frame: Optional[str] = None) -> Any:
        """Return labels, scores and probabilities of every test row.

        data_file and file_row give the place of the row in the data files; the header is row 1.
        A study keeps them with predictions="keep".
        """
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "predictions.csv")
            _binary.run(["export", str(self.folder), "--predictions", "--out", path])
            return _frames.read(Path(path), TEXTS, frame)

    def export(self, path: PathLike) -> None:
        """Write the records to a Parquet file. Its metadata contain recipes and versions."""
        _binary.run(["export", str(self.folder), "--out", str(path)])

    def report(self) -> None:
        """Collect the records of the folder, and write its tables, figures and report.html.

        Study.run does this at its end. If it stopped early, this method reports the results so far.
        """
        _binary.run(["report", str(self.folder)])

    def tables(self, frame: Optional[str] = None) -> Dict[str, Any]:
        """Return the tables of the report by name. Each has a line per row, classifier and metric."""
        paths = sorted((self.folder / "tables").glob("*.csv"))
        return {path.stem: _frames.read(path, ("classifier",), frame) for path in paths}

    def tests(self, frame: Optional[str] = None) -> Any:
        """Return the comparisons of all tables: the row of the table, the classifier that is
        compared with the one in the column against, and the columns from test to doubtful. If a factor
        has the name of another column, that column is called table.NAME."""
        paths = sorted((self.folder / "tables").glob("*.csv"))
        read = {path.stem: _frames.columns(path, ("classifier",)) for path in paths}
        tables = {name: columns for name, columns in read.items() if "classifier" in columns}
        factors = {name for columns in tables.values() for name in _factors(columns)}

        def title(name: str) -> str:
            return "table." + name if name in factors else name

        rows: List[Dict[str, Any]] = []
        for table, columns in tables.items():
            levels = {name: columns[name] for name in _factors(columns)}
            others = {_without_prefix(name): column for name, column in columns.items() if name not in levels}
            if "test" not in others:
                continue
            names = list(others)
            chosen = ["classifier", "metric"] + names[names.index("test") : names.index("doubtful") + 1]
            shown = {**levels, **{title(name): others[name] for name in chosen}}
            for at, test in enumerate(others["test"]):
                if isinstance(test, str):  # other rows have no test
                    rows.append({title("table"): table, **{name: column[at] for name, column in shown.items()}})
        return _frames.of_rows(rows, frame)

    def verify(self, sample: int = 3, *, run_commands: bool = False) -> Dict[str, List[str]]:
        """Check the folder, compute some trials again, and return the problems of each check.

        run_commands runs the commands of the folder, even if you have never run them before.
        """
        arguments = ["verify", str(self.folder), "--sample", str(sample)]
        if run_commands:
            arguments.append("--run-commands")
        lines = _binary.call(arguments, allowed=(0, 1))
        return {line["name"]: line["problems"] for line in lines if line["type"] == "check"}

    def _csv(self, name: str) -> Path:
        for path in (self.folder / name, self.folder / (name + ".gz")):
            if path.is_file():
                return path
        raise FileNotFoundError("%s has no %s; the method report() writes it" % (self.folder, name))

    def __repr__(self) -> str:
        return "copse.Results(%r)" % str(self.folder)

    def _repr_html_(self) -> str:
        """Return the tables of the report for a notebook."""
        tables = sorted((self.folder / "tables").glob("*.html"))
        page = "\n".join(path.read_text(encoding="utf-8") for path in tables)
        # Jupyter's style sheet numbers lists 1, 2, ... and ignores the attribute type.
        return page.replace(' type="a">', ' type="a" style="list-style-type: lower-alpha">')


def _factors(columns: Dict[str, List[Any]]) -> List[str]:
    """Return the names of the factors of a table, which come before the classifier."""
    names = list(columns)
    return names[: names.index("classifier")]


def _without_prefix(name: str) -> str:
    """Return the name of a column that a table calls table.NAME because a factor has its name."""
    return name[len("table.") :] if name.startswith("table.") else name
