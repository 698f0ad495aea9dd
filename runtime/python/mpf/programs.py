"""The compiled queries that a network keeps."""
from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from mpf.compiled import Compiled
from mpf.errors import Error
from mpf.question import Question

_MOST_PROGRAMS = 128
_MOST_COUNTS = 4096


class Programs:
    """Programs by question, and for questions that are asked often also by the variables that evidence names.

    A general program takes any evidence, so it computes the whole network. A narrow one is for one set of observed
    variables: what does not matter to the answer is simplified away. Where the general program is slow, these variables are
    always observed in it (Question). It is compiled once the general program has
    answered as many questions with these variables as take the time of planning, by prediction. So all questions
    together take at most about twice as long as with the best choice made beforehand. The rule counts questions and
    reads no clock: the same script gets the same numbers.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self._programs: dict[Hashable, Any] = {}  # Compiled or Question
        self._counts: dict[Hashable, int] = {}  # questions that the general program answered

    def __len__(self) -> int:
        return len(self._programs)

    def keep_current(self) -> None:
        """Forgets programs that do not have the values of the network."""
        self._programs = {key: compiled for key, compiled in self._programs.items()
                          if compiled.is_current and not isinstance(compiled, Question)}

    def general(self, key: Hashable, compile: Callable[[], Compiled]) -> Compiled:
        """The program for any evidence."""
        found = self._programs.get(key)
        return self._keep(key, compile()) if found is None else found

    def narrow(self, key: Hashable, names: frozenset[str]) -> Compiled | Question | None:
        """The program for evidence on `names` alone, if it was compiled."""
        return self._programs.get((key, names))

    def pays(self, key: Hashable, names: frozenset[str]) -> bool:
        """Counts a question. Whether the general program has answered so many that a narrow one pays."""
        general = self._programs.get(key)
        if general is None:
            return False
        if len(self._counts) >= _MOST_COUNTS:
            self._counts.clear()
        count = self._counts[key, names] = self._counts.get((key, names), 0) + 1
        return count > general.cases_per_plan

    def try_narrow(self, key: Hashable, names: frozenset[str], compile: Callable[[Compiled], Compiled | Question]) -> Compiled | Question | None:
        """Compiles and keeps a narrow program; `compile` gets the general one. None: it cannot be, and the general program goes on."""
        self._counts[key, names] = 0  # a program that was dropped must pay again
        try:
            return self._keep((key, names), compile(self._programs[key]))
        except Error:
            return None

    def _keep(self, key: Any, compiled: Any) -> Any:
        while len(self._programs) >= _MOST_PROGRAMS:
            self._programs.pop(next(iter(self._programs)), None)
        self._programs[key] = compiled
        return compiled
