"""Finds and runs the program copse."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Callable, Dict, List, NoReturn, Optional, Sequence

from .errors import CopseError, Mistake, StudyError

Line = Dict[str, Any]

NAME = "copse.exe" if os.name == "nt" else "copse"


def find() -> str:
    """Return the path of the program: COPSE_BINARY, else the program in the wheel, else in PATH."""
    named = os.environ.get("COPSE_BINARY")
    if named:
        if not os.path.isfile(named):
            raise FileNotFoundError("COPSE_BINARY: this file does not exist: " + named)
        return named
    packaged = Path(__file__).parent / "bin" / NAME
    if packaged.is_file():
        return str(packaged)
    found = shutil.which(NAME)
    if found and not _is_script(found):
        return found
    raise FileNotFoundError(
        "the program copse was not found: install the wheel for this platform, put copse into PATH, "
        "or set COPSE_BINARY to its path"
    )


def _is_script(path: str) -> bool:
    """Report whether a file is a script, such as the command copse that this package installs."""
    with open(path, "rb") as file:
        return file.read(2) == b"#!"


def main() -> NoReturn:
    """Run the program with the arguments of this process. This is the command copse."""
    try:
        command = [find(), *sys.argv[1:]]
    except FileNotFoundError as error:
        sys.exit("copse: %s" % error)
    if os.name == "posix":
        os.execv(command[0], command)
    sys.exit(subprocess.call(command))


def call(
    arguments: Sequence[str], on_line: Optional[Callable[[Line], None]] = None, allowed: Sequence[int] = (0,)
) -> List[Line]:
    """Run a verb with --json and return its lines.

    on_line gets each line as it is written. An exit code that is not allowed raises
    StudyError or CopseError. An interrupt stops the command after the running trials.
    """
    command = [find(), arguments[0], "--json", *arguments[1:]]
    lines: List[Line] = []
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, encoding="utf-8")
        assert process.stdout is not None
        try:
            for text in process.stdout:
                line = json.loads(text)
                lines.append(line)
                if on_line is not None:
                    on_line(line)
            process.wait()
        except BaseException:
            _stop(process)
            raise
        finally:
            process.stdout.close()
        errors.seek(0)
        printed = errors.read().decode("utf-8", "replace")
    _raise(lines, process.returncode, printed, allowed)
    return lines


def _stop(process: "subprocess.Popen[str]") -> None:
    """Stop a command after its running trials. The same command can continue later."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    process.wait()


def _raise(lines: List[Line], code: int, printed: str, allowed: Sequence[int]) -> None:
    """Raise the error of a command, unless its exit code is allowed."""
    if not lines or lines[-1]["type"] != "exit":
        raise CopseError([Mistake(printed.strip() or "copse ended before it wrote its last line")], code or 1)
    if code in allowed:
        return
    mistakes = [
        Mistake(line["message"], line.get("origin"), line.get("line"), line.get("column"), line.get("key"))
        for line in lines
        if line["type"] == "error"
    ]
    if any(mistake.file for mistake in mistakes):
        raise StudyError(mistakes, code)
    raise CopseError(mistakes or [Mistake(printed.strip())], code)


def run(arguments: Sequence[str], folder: Optional[str] = None) -> "subprocess.CompletedProcess[str]":
    """Run a command in a folder, by default the current one, and return its output."""
    command = [os.path.abspath(find()), *arguments]
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                          errors="replace")
    if done.returncode != 0:
        message = "\n" + done.stderr
        raise CopseError([Mistake(message.replace("\ncopse: ", "\n").strip())], done.returncode)
    return done


def version() -> str:
    """Return the output of copse --version."""
    done = subprocess.run([find(), "--version"], stdout=subprocess.PIPE, check=True, text=True, encoding="utf-8")
    return done.stdout.strip()
