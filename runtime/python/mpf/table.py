"""Tables of results, with the names and labels of their axes."""
from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from mpf.errors import Usage
from mpf.names import unknown
from mpf.options import warn_beyond
from mpf.variable import Variable


class Table:
    """A result over some variables: an array with a label for each state.

    `np.asarray(table)` is the array, without a copy; it has one axis for each variable. Whole numbers are Python's
    ints, in an array of objects.

    Attributes:
        - values: the array, shape `tuple(len(v) for v in variables)`.
        - variables: the Variable of each axis.

    >>> table = m.posterior(["rain", "wet"])
    >>> round(table["no", "yes"], 6)
    0.08
    >>> table.shape, table.names
    ((2, 2), ('rain', 'wet'))
    """

    values: np.ndarray[Any, Any]
    variables: Sequence[Variable]

    __slots__ = ("values", "variables", "_logs")

    def __init__(self, values: np.ndarray[Any, Any], variables: Sequence[Variable],
                 logs: Callable[[], np.ndarray[Any, Any]] | np.ndarray[Any, Any] | None = None) -> None:
        self.values = values
        self.variables = variables
        self._logs = logs

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each axis."""
        return tuple(variable.name for variable in self.variables)

    @property
    def labels(self) -> tuple[Any, ...]:
        """The labels of a table over one variable; else a tuple of them for each axis."""
        labels = tuple(variable.labels for variable in self.variables)
        return labels[0] if len(labels) == 1 else labels

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of states of each variable."""
        return self.values.shape

    def log(self) -> np.ndarray[Any, Any]:
        """The natural logarithms of the entries: -inf for 0, also where the entries leave the range of doubles.

        >>> m.posterior("rain", {"rain": "no"}).log()
        array([  0., -inf])
        """
        if self._logs is not None:
            logs = self._logs() if callable(self._logs) else self._logs
            return logs.reshape(self.values.shape)
        with np.errstate(divide="ignore"):
            return np.log(np.asarray(self.values, dtype=float))

    def in_logs(self) -> Table:
        """The table whose entries are the natural logarithms.

        >>> m.posterior("rain", {"rain": "no"}).in_logs()
        Table(rain; no: 0, yes: -inf)
        """
        logs = self.log()
        return Table(logs, self.variables, logs)

    def __reduce__(self) -> Any:
        return Table, (np.array(self.values), list(self.variables), None if self._logs is None else self.log())

    @property
    def ndim(self) -> int:
        """The number of variables."""
        return len(self.variables)

    def __len__(self) -> int:
        """The length of the first axis."""
        return len(self.values)

    def __iter__(self) -> Iterator[Any]:
        """The entries along the first axis."""
        return iter(self.values)

    def __contains__(self, label: object) -> bool:
        """Whether a table over one variable has a state of this label."""
        return len(self.variables) == 1 and label in self.variables[0].labels

    def to_frame(self) -> Any:
        """`to_series()` as a pandas DataFrame of one column.

        >>> m.posterior("rain").to_frame().loc["no", "value"]  # doctest: +SKIP
        0.8
        """
        return self.to_series().to_frame("value")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        if copy:
            return np.array(self.values, dtype=dtype)
        return self.values if dtype is None else self.values.astype(dtype, copy=False)

    def __getitem__(self, key: Any) -> Any:
        """The entry of labels or state numbers, one for each variable; a dict leaves the other variables as axes.

        `table["yes"]`, `table["yes", "no"]`, `table[{"rain": "yes"}]`
        """
        if isinstance(key, dict):
            return self._slice(key)
        states = key if isinstance(key, tuple) else (key,)
        if len(states) != len(self.variables):
            raise Usage(f"a table over {len(self.variables)} variables ({', '.join(self.names)}) has an entry for "
                        f"{len(self.variables)} states, not for {len(states)}")
        return _plain(self.values[tuple(v.state(s) for v, s in zip(self.variables, states))])

    def _slice(self, given: Mapping[str, Any]) -> Any:
        for name in given:
            if name not in self.names:
                raise unknown("variable", name, self.names)
        index = tuple(v.state(given[v.name]) if v.name in given else slice(None) for v in self.variables)
        left = [v for v in self.variables if v.name not in given]
        found = self.values[index]
        return Table(found, left) if left else _plain(found)

    def _rows(self) -> Iterator[tuple[tuple[str, ...], Any]]:
        """(labels of the entry, value) in the array's order."""
        return zip(itertools.product(*(v.labels for v in self.variables)), self.values.flat)

    def to_dict(self) -> dict[Any, Any]:
        """Labels to entries; a tuple of labels for several variables.

        >>> m.posterior("rain", {"rain": "no"}).to_dict()
        {'no': 1.0, 'yes': 0.0}
        """
        return {labels[0] if len(labels) == 1 else labels: _plain(value) for labels, value in self._rows()}

    def to_series(self) -> Any:
        """The table as a pandas Series; several variables make a MultiIndex.

        >>> m.posterior("rain").to_series()["no"]  # doctest: +SKIP
        0.8
        """
        import pandas
        if len(self.variables) == 1:
            index = pandas.Index(self.variables[0].labels, name=self.names[0])
        else:
            index = pandas.MultiIndex.from_product([v.labels for v in self.variables], names=self.names)
        return pandas.Series(self.values.reshape(-1), index=index)

    def __repr__(self) -> str:
        shown = ", ".join(f"{'/'.join(labels)}: {_shown(value)}" for labels, value in itertools.islice(self._rows(), 16))
        more = ", ..." if self.values.size > 16 else ""
        return f"Table({', '.join(self.names)}; {shown}{more})"

    def _repr_html_(self) -> str:
        import html  # for notebooks only
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self.names)
        rows = "".join(
            "<tr>" + "".join(f"<td>{html.escape(label)}</td>" for label in labels) + f"<td>{_shown(value)}</td></tr>"
            for labels, value in itertools.islice(self._rows(), 200))
        more = f"<p>{self.values.size} entries, 200 are shown</p>" if self.values.size > 200 else ""
        return f"<table><tr>{head}<th></th></tr>{rows}</table>{more}"


def _shown(entry: Any) -> str:
    """Six digits of a double, every digit of a whole number."""
    return f"{entry:.6g}" if isinstance(entry, float) else str(entry)


def _plain(entry: Any) -> Any:
    """An entry as a Python number."""
    return entry.item() if hasattr(entry, "item") else entry


class Marginals(dict[str, Any]):
    """The posterior of every variable: name -> Table.

    Attributes:
        - log_evidence: the natural logarithm of the evidence's probability, or of the sum over all variables.

    >>> found = m.marginals({"wet": "yes"})
    >>> found["wet"]
    Table(wet; no: 0, yes: 1)
    >>> round(found.log_evidence, 6)
    -1.427116
    """

    log_evidence: Any

    def __missing__(self, name: str) -> NoReturn:
        raise unknown("variable", name, self)

    def _repr_html_(self) -> str:
        return "".join(table._repr_html_() for table in self.values())


class Best(dict[str, str]):
    """A best assignment: name -> label of each variable, observed ones included.

    Attributes:
        - log_value: the natural logarithm of its value; NaN for one below 0, as costs may be.

    >>> best = m.best()
    >>> best["rain"], round(best.log_value, 6)
    ('no', -0.328504)
    """

    log_value: float
    _value: float

    @property
    def value(self) -> float:
        """Its value. One beyond doubles is 0 or infinite, with a warning."""
        if math.isfinite(self.log_value) and (self._value == 0 or math.isinf(self._value)):
            warn_beyond("the value", self.log_value, self._value)
        return self._value

    def __missing__(self, name: str) -> NoReturn:
        raise unknown("variable", name, self)
