"""Results of many cases: arrays whose first axis is the case."""
from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from mpf.errors import Usage
from mpf.names import unknown
from mpf.variable import Variable


def _on_host(values: Any) -> np.ndarray[Any, Any]:
    if not isinstance(values, np.ndarray):
        raise Usage("the answers lie in the memory of a GPU: torch.from_dlpack or cupy.asarray takes `.values` and "
                    "`.states` over, without a copy")
    return values


class RowTable:
    """A result over some variables for each case.

    `np.asarray(table)` is the array: axis 0 is the case, then one axis for each variable. A case whose evidence has
    probability 0 has NaN where posteriors were asked for.

    >>> rows = m.posterior("wet", cases={"rain": ["no", "yes"]})
    >>> rows["yes"].round(3)
    array([0.1, 0.8])
    >>> rows.shape, rows.names
    ((2, 2), ('wet',))
    """

    __slots__ = ("values", "variables", "index")

    def __init__(self, values: np.ndarray[Any, Any], variables: Sequence[Variable], index: Any = None) -> None:
        self.values = values
        self.variables = variables
        self.index = index

    def __len__(self) -> int:
        return int(self.values.shape[0])

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of cases, and of states of each variable."""
        return self.values.shape

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each axis behind the first."""
        return tuple(variable.name for variable in self.variables)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        values = _on_host(self.values)
        if copy:
            return np.array(values, dtype=dtype)
        return values if dtype is None else values.astype(dtype, copy=False)

    def __getitem__(self, label: Any) -> np.ndarray[Any, Any]:
        """The column of a label, or of a tuple of labels: an array with an entry for each case."""
        labels = label if isinstance(label, tuple) else (label,)
        if len(labels) != len(self.variables):
            raise Usage(f"the columns of {', '.join(self.names)} have {len(self.variables)} labels, not {len(labels)}")
        return self.values[(slice(None), *(v.state(value) for v, value in zip(self.variables, labels)))]

    def __iter__(self) -> Iterator[Any]:
        """The values of each case."""
        return iter(self.values)

    def to_frame(self) -> Any:
        """A pandas DataFrame: a column for each entry, called `rain=yes` or `rain=yes, wet=no`.

        >>> m.posterior("wet", cases={"rain": ["no"]}).to_frame()["wet=no"][0]  # doctest: +SKIP
        0.9
        """
        import pandas
        names = [", ".join(f"{v.name}={label}" for v, label in zip(self.variables, labels))
                 for labels in itertools.product(*(v.labels for v in self.variables))]
        return pandas.DataFrame(_on_host(self.values).reshape(len(self), -1), columns=names, index=self.index)

    def __repr__(self) -> str:
        return f"RowTable({', '.join(self.names)}; {len(self)} cases)"


class BestRows:
    """A best assignment for each case.

    Attributes:
        - states: array [case, variable] of the numbers of states; -1 where the evidence has probability 0.
        - log_value: array of the natural logarithms of the values.
        - variables: the Variable of each column.

    >>> best = m.best(cases={"wet": ["no", "yes"]})
    >>> best["rain"]
    array(['no', 'yes'], dtype=object)
    >>> best.states
    array([[0, 0],
           [1, 1]], dtype=int32)
    """

    __slots__ = ("states", "log_value", "variables", "index")

    def __init__(self, states: np.ndarray[Any, Any], log_value: np.ndarray[Any, Any], variables: Sequence[Variable],
                 index: Any = None) -> None:
        self.states = states
        self.log_value = log_value
        self.variables = variables
        self.index = index

    def __len__(self) -> int:
        return int(self.states.shape[0])

    def __getitem__(self, name: str) -> np.ndarray[Any, Any]:
        """The labels of one variable, an array of texts; None where there is no assignment."""
        for column, variable in enumerate(self.variables):
            if variable.name == name:
                return np.array([*variable.labels, None], dtype=object)[_on_host(self.states)[:, column]]
        raise unknown("variable", name, [v.name for v in self.variables])

    def __repr__(self) -> str:
        return f"BestRows({len(self)} cases)"

    def to_frame(self) -> Any:
        """A pandas DataFrame of labels, a column for each variable.

        >>> m.best(cases={"wet": ["no"]}).to_frame()["rain"][0]  # doctest: +SKIP
        'no'
        """
        import pandas
        return pandas.DataFrame({v.name: self[v.name] for v in self.variables}, index=self.index)
