"""Shows the progress of a run in a notebook or on a terminal."""

from __future__ import annotations

import html
import sys
from typing import Any, Callable, Dict, Optional, Union

Line = Dict[str, Any]
Progress = Union[bool, Callable[[Line], None]]


def listener(progress: Progress) -> Callable[[Line], None]:
    """Return the function that receives the lines of a run: the caller's function, or a display."""
    if callable(progress):
        return progress
    if not progress:
        return lambda line: None
    if _in_notebook():
        return _NotebookBar()
    if sys.stderr.isatty():
        return _TerminalLine()
    return lambda line: None


def _in_notebook() -> bool:
    """Report whether this process is a kernel of Jupyter."""
    if "IPython" not in sys.modules:
        return False
    shell = sys.modules["IPython"].get_ipython()
    return shell is not None and hasattr(shell, "kernel")


def describe(line: Line) -> str:
    """Return a progress line in words."""
    words = "%s: %d/%d trials, %d failed results" % (line["study"], line["done"], line["trials"], line["failed"])
    left: Optional[float] = line["left"]
    if line["done"] < line["trials"] and left is not None:
        words += ", about %s left" % _duration(left)
    return words


def _duration(seconds: float) -> str:
    whole = int(seconds + 0.5)
    if whole < 600:
        return "%d s" % whole
    if whole < 7200:
        return "%d min" % (whole // 60)
    return "%d h" % (whole // 3600)


class _NotebookBar:
    """A bar that a notebook updates in place. It needs no widgets."""

    def __init__(self) -> None:
        self.handle: Any = None

    def __call__(self, line: Line) -> None:
        if line["type"] != "progress":
            return
        from IPython.display import HTML, display

        bar = HTML(
            '<progress value="%d" max="%d" style="width: 20em"></progress> %s'
            % (line["done"], max(line["trials"], 1), html.escape(describe(line)))
        )
        if self.handle is None:
            self.handle = display(bar, display_id=True)
        else:
            self.handle.update(bar)


class _TerminalLine:
    """A progress line on a terminal that replaces itself."""

    def __call__(self, line: Line) -> None:
        if line["type"] == "progress":
            sys.stderr.write("\r\033[K" + describe(line))
        elif line["type"] == "exit":
            sys.stderr.write("\n")
        sys.stderr.flush()
