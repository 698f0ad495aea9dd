"""Options that several calls have, and warnings that name the caller's line."""
from __future__ import annotations

import os
import sys
import time
import warnings
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from mpf.errors import Usage, Warning

OF_ASKING = "ignore", "errors", "log", "progress", "timeout", "stream", "exact"  # of Compiled.ask, not of compiling
_PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep


def memory_bytes(memory: Any) -> int | None:
    """Checks `memory=`: a number of bytes, or None."""
    if memory is None:
        return None
    if isinstance(memory, bool) or not hasattr(memory, "__index__") or not 0 < int(memory) < 1 << 64:
        raise Usage(f"memory={memory!r}: a number of bytes, or None")
    return int(memory)


def seconds_of(timeout: Any) -> float | None:
    """Checks `timeout=`: a number of seconds, or None."""
    if timeout is None:
        return None
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or not timeout >= 0:
        raise Usage(f"timeout={timeout!r}: a number of seconds, or None")
    return float(timeout)


def end_of(timeout: Any) -> float | None:
    """The time by time.monotonic() at which `timeout=` from now ends, or None."""
    return None if timeout is None else time.monotonic() + seconds_of(timeout)


def left_until(end: float | None) -> float | None:
    """The seconds until `end`, not negative."""
    return None if end is None else max(end - time.monotonic(), 0.0)


def text_of(name: str, value: Any) -> str:
    """Checks an option that is a text."""
    if not isinstance(value, str):
        raise Usage(f"{name}={value!r}: a text is needed")
    return value


def reading_options(params: Mapping[str, Any] | None, options: Mapping[str, Any]) -> dict[str, Any]:
    """Options of reading, and params, as the extension takes them: those of formats are texts with mpfc's names."""
    def number(value: Any) -> Any:
        if isinstance(value, (list, tuple)) and any(isinstance(row, (list, tuple)) for row in value):
            value = np.array(value)  # an array, not a sweep
        if isinstance(value, (list, tuple, range)):
            return [float(v) for v in value]
        if isinstance(value, np.ndarray) and value.ndim > 0:
            return (list(value.shape), value.astype(float).reshape(-1).tolist())
        return float(value)

    def text(value: Any) -> str:
        if isinstance(value, (list, tuple, np.ndarray)):
            return ",".join(repr(float(item)) for item in value)
        return os.fsdecode(value) if isinstance(value, (str, bytes, os.PathLike)) else str(value)

    own = "normalise", "states"
    if params is not None and not isinstance(params, Mapping):
        raise TypeError(f"params are a {type(params).__name__}: give a dict from names to numbers")
    if not isinstance(options.get("normalise", False), (bool, np.bool_)):
        raise Usage(f"normalise={options['normalise']!r}: True or False")
    text_of("states", options.get("states", ""))
    return {"params": {text_of("param", name): number(value) for name, value in (params or {}).items()},
            **{name: options[name] for name in own if name in options},
            **{name.replace("_", "-"): text(value) for name, value in options.items() if name not in own and value is not None}}


def warn_beyond(what: str, ln: float, nearest: float, help: str = "") -> None:
    """Warns of an answer that doubles do not hold. `ln`: the logarithm of its greatest magnitude."""
    warn([f"{what}: exp({ln:.17g}) lies beyond doubles, and is given as {nearest!r}{help}"])


def warn(texts: Iterable[str]) -> None:
    """Warns of each text, with the line of the first caller outside of this package."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and os.path.abspath(frame.f_code.co_filename).startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    for text in texts:
        warnings.warn(text, Warning, stacklevel=level)
