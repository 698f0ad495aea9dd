"""Variables: their names, their states, and the values that name a state."""
from __future__ import annotations

import numbers
from collections.abc import Sequence
from typing import Any

import numpy as np

from mpf import _mpf
from mpf.errors import BadInput


class Variable:
    """A variable of a network.

    Attributes:
        - name: its name.
        - labels: a tuple with the text of each state; "0", "1", ... where the states have numbers alone.

    >>> m.variables["rain"]
    Variable('rain', ['no', 'yes'])
    >>> m.variables["rain"].state("yes")
    1
    """

    name: str
    labels: tuple[str, ...]
    codes: dict[Any, int]

    __slots__ = ("name", "labels", "reader", "codes", "_made")

    def __init__(self, name: str, states: int, labels: Sequence[str], reading: str = "") -> None:
        self.name = name
        self._made = name, states, tuple(labels), reading
        self.labels = tuple(labels) if labels else tuple(map(str, range(states)))
        self.reader = _mpf.Reader(name, states, list(labels), reading)
        self.codes = {label: state for state, label in enumerate(self.labels)}  # grows with what was asked

    @property
    def has_labels(self) -> bool:
        """Whether its states have labels, not numbers alone."""
        return bool(self._made[2])

    def __reduce__(self) -> Any:
        return Variable, self._made

    def __len__(self) -> int:
        return len(self.labels)

    def __repr__(self) -> str:
        return f"Variable({self.name!r}, {list(self.labels)!r})"

    def code(self, value: Any) -> int:
        """Returns the state that a value names; the number of states for one that means "not observed".

        A text is always a label. A number is the place of a state, from 0. Where labels look like numbers it must
        be the label and the place of one state; the options `states="labels"` and `states="numbers"` decide.
        None and NaN mean "not observed".

        >>> m.variables["rain"].code(None)
        2
        """
        try:
            return self.codes[value]
        except KeyError:
            pass
        except TypeError:  # it has no hash
            raise BadInput(f"{value!r} is no state of {self.name!r}") from None
        code = self._read(value)
        if len(self.codes) < 3 * len(self.labels) + 64:
            self.codes[value] = code
        return code

    def state(self, value: Any) -> int:
        """Returns the state that a value names; raises BadInput if it means "not observed".

        >>> m.variables["rain"].state(1)
        1
        """
        state = self.code(value)
        if state == len(self.labels):
            raise BadInput(f"{value!r} is no state of {self.name!r}")
        return state

    def _read(self, value: Any) -> int:
        if value is None or type(value).__name__ in ("NAType", "NaTType") or value is np.ma.masked:
            return len(self.labels)
        if isinstance(value, (np.datetime64, np.timedelta64)) and np.isnat(value):
            return len(self.labels)
        if isinstance(value, str):
            code, shown = self.reader.of_text(value), str(value)
        elif isinstance(value, (numbers.Real, np.bool_)):
            try:
                shown = float(value)
            except OverflowError:
                raise BadInput(f"a number of {len(str(value))} digits is no state of {self.name!r}") from None
            code = self.reader.of_number(shown)
            if code is None and isinstance(value, np.unsignedinteger) and value == np.iinfo(value.dtype).max:
                code = len(self.labels)  # as in arrays of the type
        else:
            raise BadInput(f"{value!r} is no state of {self.name!r}: give a label or the number of a state")
        if code is None:
            raise BadInput(self.reader.problem(shown))
        return code
