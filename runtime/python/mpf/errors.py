"""The exceptions of mpf, one class for each kind of failure, and its warning.

The text keeps the lines of the source with their carets. Python's own class of the same meaning is a base:
`except ValueError` catches BadInput and Usage.
"""
from __future__ import annotations

import re

_PLACE = re.compile(r"^(?P<file>[^\n]+?):(?P<line>\d+):(?P<column>\d+): (?:error|warning|note): ", re.MULTILINE)


class Error(Exception):
    """Base of all errors that mpf raises by itself.

    Attributes:
        - kind: the name of the class.
        - places: (file, line, column) of each report in the text, in their order.
    """

    @property
    def kind(self) -> str:
        """The name of the class."""
        return type(self).__name__

    @property
    def places(self) -> list[tuple[str, int, int]]:
        """(file, line, column) of each report in the text."""
        return [(found["file"], int(found["line"]), int(found["column"])) for found in _PLACE.finditer(str(self))]


class BadInput(Error, ValueError):
    """A model, file or value cannot be used as it is."""


class Usage(Error, ValueError):
    """A call makes no sense: an unknown name, state or option."""


class MemoryBound(Error, MemoryError):
    """The tables exceed the memory bound; the text has the smallest peak that was found."""


class TimeLimit(Error, TimeoutError):
    """The time limit was reached before a result."""


class Device(Error, RuntimeError):
    """A driver, device or compiler is missing or fails."""


class Verification(Error, RuntimeError):
    """A recomputed entry differs from the result."""


class Overflow(Error, OverflowError):
    """A whole number does not fit its element type; nothing was rounded."""


class Unsupported(Error, NotImplementedError):
    """Valid input that this version of mpf refuses."""


class Internal(Error, AssertionError):
    """A bug of mpf."""


class Warning(UserWarning):  # noqa: A001 (mpf.Warning, like mpf.Error)
    """A warning: rows of a model that do not sum to 1, or an answer beyond doubles, for example."""

