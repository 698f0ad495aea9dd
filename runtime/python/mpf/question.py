"""Questions for evidence on a fixed set of variables."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mpf import _mpf
from mpf.compiled import Compiled
from mpf.options import memory_bytes
from mpf.results import RESULTS


class Question:
    """A query for which certain variables are always observed, in any state.

    The program leaves out what these separate from the answer, and what zeros exclude. So the values of factors cannot
    be changed: `Network.set` drops it. It looks like a Compiled to `mpf.results`.
    """

    is_current = True

    def __init__(self, network: Any, text: str, names: list[str], general: Compiled, options: Mapping[str, Any]) -> None:
        self.kind = general.kind
        self.variables = general.variables
        self.by_name = general.by_name
        self.asked: Any = None
        self._observed = [(name, general.by_name[name]) for name in names]
        self._native = _mpf.Question(network, text, names, type=options.get("type", ""),
                                     device=options.get("device", "auto"), memory=memory_bytes(options.get("memory")),
                                     threads=options.get("threads", 0), seconds=None)

    def ask(self, given: Mapping[str, Any]) -> Any:
        """Answers the query; None if a finding means "not observed"."""
        states = [variable.code(given[name]) for name, variable in self._observed]
        for state, (_, variable) in zip(states, self._observed):
            if state == len(variable):
                return None
        return RESULTS[self.kind](self, self._native.run(states, None))


def fits(query: str | tuple[str, ...], names: frozenset[str], general: Compiled) -> bool:
    """Whether a question is answered faster so: the general program is slow, and the answer is over other variables."""
    if not names or general.case_us < SLOW_US or general.kind not in ("evidence", "joint", "marginals", "best"):
        return False
    return query in ("evidence", "marginals", "best") if isinstance(query, str) else names.isdisjoint(query)


SLOW_US = 20.0  # a run of a session takes some 5 us more than a case of lanes
