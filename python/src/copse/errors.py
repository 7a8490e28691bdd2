"""Exceptions for the errors of the program copse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Sequence


@dataclass(frozen=True)
class Mistake:
    """A mistake in a study file, or in a value that the caller has set."""

    message: str
    file: Optional[str] = None
    line: Optional[int] = None
    column: Optional[int] = None
    key: Optional[str] = None

    def __str__(self) -> str:
        place = self.file or ""
        if self.line:
            place += ":%d:%d" % (self.line, self.column or 1)
        return ": ".join(part for part in (place, self.key, self.message) if part)


class CopseError(Exception):
    """An error that the program copse reported.

    exit_code is 1 for a failed command, 2 for bad usage and 3 for a run that a signal stopped.
    """

    def __init__(self, mistakes: Sequence[Mistake], exit_code: int) -> None:
        super().__init__("\n".join(str(m) for m in mistakes) or "copse ended with exit code %d" % exit_code)
        self.mistakes = list(mistakes)
        self.exit_code = exit_code


class StudyError(CopseError):
    """Mistakes in a study. file, line, column and key give the place of the first mistake."""

    @property
    def file(self) -> Optional[str]:
        return self.mistakes[0].file

    @property
    def line(self) -> Optional[int]:
        return self.mistakes[0].line

    @property
    def column(self) -> Optional[int]:
        return self.mistakes[0].column

    @property
    def key(self) -> Optional[str]:
        return self.mistakes[0].key


class FailedFits(UserWarning):
    """Warns that some fits of a study failed. Each failed fit is a result with a reason."""
