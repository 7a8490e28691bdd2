"""Writes studies as YAML files, and checks and runs them with the program copse."""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Union

from . import _binary, _frames, _progress, _yaml
from .errors import CopseError, FailedFits, Mistake
from .results import Results

PathLike = Union[str, "os.PathLike[str]"]

HEADER = "# Written by copse for Python.\n"


class Study:
    """A simulation study, described by one YAML file.

    The keyword arguments are the keys of a study file (copse explain). data and classifiers, a
    list or a single classifier, are required; design, nested, report, inference and others are optional. file is the path
    of the study file, NAME.yaml by default. Paths of programs are relative to its folder.
    """

    def __init__(
        self,
        name: str,
        *,
        seed: int,
        data: Any,
        classifiers: Union[str, Mapping[str, Any], Iterable[Any]],
        replicates: Optional[int] = None,
        file: Optional[PathLike] = None,
        **keys: Any,
    ) -> None:
        content: Dict[str, Any] = {"study": name, "seed": seed}
        if replicates is not None:
            content["replicates"] = replicates
        design = {key: keys.pop(key) for key in ("title", "design", "nested", "exclude") if key in keys}
        content.update(design)
        is_single = isinstance(classifiers, (str, Mapping))
        content.update({"data": data, "classifiers": [classifiers] if is_single else list(classifiers)})
        content.update(keys)
        self.name = name
        self.file = Path(file if file is not None else name + ".yaml")
        self._yaml: Optional[str] = HEADER + _yaml.text(content)

    @classmethod
    def from_file(cls, file: PathLike) -> "Study":
        """Return the study that a YAML file describes. The file does not change."""
        study = cls.__new__(cls)
        study.file = Path(file)
        study._yaml = None
        study.name = str(study._lines("check", ["--pilot", "0s"])[0]["name"])
        return study

    @property
    def yaml(self) -> str:
        """The text of the study file, as YAML."""
        return self.file.read_text(encoding="utf-8") if self._yaml is None else self._yaml

    def save(self, overwrite: bool = False) -> Path:
        """Write the study file and return its path.

        A file that this class wrote is replaced; another one only with overwrite.
        """
        if self._yaml is None:
            return self.file
        if self.file.exists() and not overwrite:
            old = self.file.read_text(encoding="utf-8")
            if old != self._yaml and not old.startswith(HEADER):
                raise FileExistsError(
                    "%s was not written by copse for Python; use save(overwrite=True) to replace it, file=... "
                    "to write another file, or Study.from_file to read it" % self.file
                )
        self.file.write_text(self._yaml, encoding="utf-8")
        return self.file

    def check(
        self,
        *,
        replicates: Optional[int] = None,
        set: Optional[Mapping[str, Any]] = None,
        out: Optional[PathLike] = None,
        pilot: float = 5.0,
    ) -> "Check":
        """Return the cells, the missing results and their cost. Store no fit.

        set changes values of the study, such as {"design.n": [100, 200]}. Values have the same
        types as in Study. pilot is the time for trial fits in seconds. The messages of the result
        describe trial fits that failed.
        """
        arguments = _changes(replicates, set, out) + ["--pilot", "%.9fs" % pilot]
        lines = self._lines("check", arguments, allowed=(0, 1))  # 1: a classifier failed in all cells
        if not any(line["type"] == "plan" for line in lines):
            raise CopseError([Mistake(line["message"]) for line in lines if line["type"] == "error"], lines[-1]["code"])
        return Check(lines)

    def run(
        self,
        *,
        jobs: Optional[int] = None,
        replicates: Optional[int] = None,
        set: Optional[Mapping[str, Any]] = None,
        out: Optional[PathLike] = None,
        memory: Union[str, float, None] = None,
        retry_failed: bool = False,
        accept_change: bool = False,
        run_commands: bool = False,
        progress: _progress.Progress = True,
    ) -> Results:
        """Run the results that the results folder does not have yet, and return all results.

        jobs is the number of trials at a time. memory is the memory limit of the command in bytes, or
        a text such as "2GB". retry_failed repeats failed fits. accept_change adds results even if the
        version or packages of an external program have changed. run_commands runs the commands of a
        study in a results folder, even if you have never run them before. progress is False for none,
        or a function that gets each line of copse run --json. Notes on the records are warnings, such
        as results of replicates that the study no longer has. After an interrupt, the running trials
        finish; the same call continues the run.
        """
        arguments = _changes(replicates, set, out)
        if jobs is not None:
            arguments += ["--jobs", str(jobs)]
        if memory is not None:
            arguments += ["--memory", memory if isinstance(memory, str) else "%.0fB" % memory]
        for name, wanted in (
            ("--retry-failed", retry_failed), ("--accept-change", accept_change), ("--run-commands", run_commands)
        ):
            if wanted:
                arguments.append(name)
        self.save()
        lines = _binary.call(
            ["run", str(self.file), *arguments], on_line=_progress.listener(progress), allowed=(0, 1)
        )
        reports = [line for line in lines if line["type"] == "report"]
        errors = [line["message"] for line in lines if line["type"] == "error"]
        if not reports:
            raise CopseError([Mistake(message) for message in errors], lines[-1]["code"])
        for note in reports[0]["notes"] or []:
            warnings.warn(note, stacklevel=2)
        if errors:
            warnings.warn("\n".join(errors), FailedFits, stacklevel=2)
        return Results(reports[0]["folder"])

    def _lines(
        self, verb: str, arguments: Sequence[str], allowed: Sequence[int] = (0,)
    ) -> List[_binary.Line]:
        self.save()
        return _binary.call([verb, str(self.file), *arguments], allowed=allowed)

    def __repr__(self) -> str:
        return "copse.Study(%r, file=%r)" % (self.name, str(self.file))


def _changes(
    replicates: Optional[int], values: Optional[Mapping[str, Any]], out: Optional[PathLike]
) -> List[str]:
    """Return the flags of copse that change a study without a change of its file."""
    arguments = []
    for key, value in (values or {}).items():
        arguments += ["--set", "%s=%s" % (key, _yaml.flow(value))]
    if replicates is not None:
        arguments += ["--replicates", str(replicates)]
    if out is not None:
        arguments += ["--out", str(out)]
    return arguments


@dataclass(frozen=True)
class Cost:
    """Expected time of the missing results, in seconds on one core.

    The classifiers in unknown have no measured times, so seconds does not include them.
    """

    seconds: float
    measured: float
    tried: float
    extrapolated: float
    unknown: Sequence[str]


class Check:
    """The output of copse check: the design, the missing results and their cost."""

    def __init__(self, lines: Sequence[_binary.Line]) -> None:
        self.lines = list(lines)
        plan = self._first("plan") or {}
        self.missing: int = plan.get("results", 0)
        self.done: int = plan.get("done", 0)
        self.failed: int = plan.get("failed", 0)
        self.folder: str = self.lines[0]["folder"]
        memory = self._first("memory")
        self.bytes: Optional[int] = memory["bytes"] if memory else None
        cost = self._first("cost")
        self.cost: Optional[Cost] = None
        if cost is not None:
            self.cost = Cost(
                cost["seconds"], cost["measured"], cost["tried"], cost["extrapolated"], cost.get("unknown", [])
            )
        self.messages: List[str] = [
            "%s: %s" % (line["level"], line["text"]) for line in self.lines if line["type"] == "message"
        ]

    def _first(self, kind: str) -> Optional[_binary.Line]:
        return next((line for line in self.lines if line["type"] == kind), None)

    def cells(self, frame: Optional[str] = None) -> Any:
        """Return the cells of the design, each with its id, the level of each factor, and its data."""
        return _frames.of_rows(_frames.numbered(self._cells(), ("cell", "data")), frame)

    def _cells(self) -> List[Dict[str, Any]]:
        return [
            {"cell": line["id"], **line["levels"], "data": line["data"]}
            for line in self.lines
            if line["type"] == "cell"
        ]

    def __str__(self) -> str:
        words = ["%d results to run, %d already stored (%d failed), in %s" % (
            self.missing, self.done, self.failed, self.folder)]
        if self.cost is not None and self.cost.seconds > 0:
            words.append("about %.3g s on one core" % self.cost.seconds)
        if self.cost is not None and self.cost.unknown:
            words.append("no expected time for these classifiers: %s" % ", ".join(self.cost.unknown))
        if self.bytes is not None:
            words.append("about %.3g MB per worker" % (self.bytes / 1e6))
        return "\n".join(["; ".join(words), *self.messages])

    def __repr__(self) -> str:
        return "<copse.Check: %s>" % self

    def _repr_html_(self) -> str:
        from html import escape

        rows = self._cells()
        names = list(dict.fromkeys(name for row in rows for name in row))
        head = "".join("<th>%s</th>" % escape(name) for name in names)
        body = "".join(
            "<tr>%s</tr>" % "".join("<td>%s</td>" % escape(str(row.get(name, ""))) for name in names)
            for row in rows
        )
        return "<p>%s</p><table><tr>%s</tr>%s</table>" % (escape(str(self)).replace("\n", "<br>"), head, body)
