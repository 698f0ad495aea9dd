"""Several posteriors, asked together."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mpf.cases import KeptRows, rows_of
from mpf.compiled import Compiled
from mpf.device_rows import are_on_device
from mpf.options import end_of, left_until


class Joined:
    """The programs that answer several posteriors: as few as pay. One pass over a network answers many."""

    cases_per_plan = float("inf")  # evidence on some variables makes no program of its own

    def __init__(self, parts: Sequence[Compiled]) -> None:
        self._parts = parts

    @property
    def is_current(self) -> bool:
        """Whether the programs have the values of their network."""
        return all(part.is_current for part in self._parts)

    def ask(self, given: Mapping[str, Any] | None, cases: Any, *, timeout: float | None = None,
            **options: Any) -> dict[tuple[str, ...], Any]:
        """Names of variables -> Table, or RowTable for cases; options are those of Compiled.ask."""
        end = end_of(timeout)
        if cases is not None and len(self._parts) > 1 and not are_on_device(cases):
            cases = KeptRows(rows_of(cases, [variable.name for variable in self._parts[0].variables]))
        found: dict[tuple[str, ...], Any] = {}
        for part in self._parts:
            answer = part.ask(given, cases, timeout=left_until(end), **options)
            found.update((table.names, table) for table in (answer.values() if part.kind == "joints" else [answer]))
        return found
