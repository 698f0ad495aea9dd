"""The compiled queries that a network keeps."""
from __future__ import annotations

import sys
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
    variables, which are always observed in it (Question): what does not matter to the answer is simplified away.

    A narrow program pays where the general one is slow. It is compiled once the general program has answered as many
    questions with these variables as take the time of planning, by prediction. So all questions together take at most
    about twice as long as with the best choice made beforehand. The rule counts questions and reads no clock: the
    same script gets the same numbers.

    A question without options that comes again, with findings on the same variables in the same order, goes straight
    to the program that answered it last.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self._programs: dict[Hashable, Any] = {}  # Compiled or Question
        self._counts: dict[Hashable, list[int]] = {}  # questions that the general program answered, in a list of one
        self._again: dict[Any, tuple[Compiled, list[int], int]] = {}  # program, count, most questions

    def __len__(self) -> int:
        return len(self._programs)

    def keep_current(self) -> None:
        """Forgets programs that do not have the values of the network."""
        self._programs = {key: compiled for key, compiled in self._programs.items()
                          if compiled.is_current and not isinstance(compiled, Question)}
        self._again.clear()

    def ask_again(self, query: Hashable, given: Any) -> Any:
        """The answer to a question that was kept by `keep_question`; None: it must be asked otherwise."""
        if given is not None and type(given) is not dict:
            return None
        found = self._again.get((query, *given) if given else (query,))
        if found is None:
            return None
        compiled, count, most = found
        answer = compiled.ask_known(given) if count[0] < most else None
        if answer is not None:
            count[0] += 1
        return answer

    def keep_question(self, query: Hashable, given: Any, names: frozenset[str], compiled: Compiled | Question) -> None:
        """Keeps which program answered a question without options and soft evidence."""
        if not isinstance(compiled, Compiled):
            return
        if len(self._again) >= _MOST_COUNTS:
            self._again.clear()
        key = query, ()
        if compiled is self._programs.get(key):
            kept = compiled, self._count(key, names), compiled.cases_per_plan
        else:
            kept = compiled, [0], sys.maxsize
        self._again[(query, *given) if given else (query,)] = kept

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
        count = self._count(key, names)
        count[0] += 1
        return count[0] > general.cases_per_plan

    def _count(self, key: Hashable, names: frozenset[str]) -> list[int]:
        if len(self._counts) >= _MOST_COUNTS:
            self._counts.clear()
            self._again.clear()
        return self._counts.setdefault((key, names), [0])

    def try_narrow(self, key: Hashable, names: frozenset[str], compile: Callable[[Compiled], Compiled | Question]) -> Compiled | Question | None:
        """Compiles and keeps a narrow program; `compile` gets the general one. None: it cannot be, and the general program goes on."""
        self._count(key, names)[0] = 0  # a program that was dropped must pay again
        try:
            return self._keep((key, names), compile(self._programs[key]))
        except Error:
            return None

    def _keep(self, key: Any, compiled: Any) -> Any:
        while len(self._programs) >= _MOST_PROGRAMS:
            self._programs.pop(next(iter(self._programs)), None)
            self._again.clear()
        self._programs[key] = compiled
        return compiled
