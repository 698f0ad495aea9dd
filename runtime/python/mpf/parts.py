"""The parts of a network, and how they are built, read and changed."""
from __future__ import annotations

import itertools
import weakref
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from mpf import _mpf
from mpf.compiled import Compiled, is_weights, weights_of
from mpf.errors import BadInput, Error, Usage
from mpf.factor import Factor
from mpf.names import unknown
from mpf.options import text_of, warn
from mpf.programs import Programs
from mpf.variable import Variable

_Made = TypeVar("_Made", bound="Parts")


class Parts:
    """The parts of a Network, and the calls that change them."""

    def __init__(self, name: str = "network") -> None:
        self._start(_mpf.Network(name))

    def _start(self, native: _mpf.Network) -> None:
        self._native = native
        self._programs = Programs()
        self._told: set[str] = set()  # warnings
        self._variables: dict[str, Variable] | None = None
        self._compiled_queries: weakref.WeakSet[Compiled] = weakref.WeakSet()
        self._names: Iterator[str] | None = None  # of the factors to come that get none

    @classmethod
    def _of(cls: type[_Made], native: _mpf.Network) -> _Made:
        network = cls.__new__(cls)
        network._start(native)
        network._warn(native.warnings())
        return network

    def __reduce__(self) -> Any:
        from mpf.reading import parse  # which imports this module
        return parse, (self._native.text(".mpf"),)

    # Its parts.

    @property
    def name(self) -> str:
        """The name, which files keep where their format has one."""
        return self._native.name()

    @property
    def variables(self) -> dict[str, Variable]:
        """Name -> Variable, in the order of the network."""
        if self._variables is None:
            self._variables = {row[0]: Variable(*row) for row in self._native.variables()}
        return self._variables

    @property
    def factors(self) -> dict[str, Factor]:
        """Name -> Factor, soft evidence left out."""
        found = {}
        for name, scope, conditional, is_input, is_likelihood in self._native.factors():
            if not is_likelihood:
                values = self._native.values(name)
                shape = [len(self.variables[v]) for v in scope if v in self.variables]
                if values is not None and len(shape) == len(scope):
                    values = values.reshape(shape)
                found[name] = Factor(name, tuple(scope), conditional, is_input, values)
        return found

    @property
    def queries(self) -> list[str]:
        """The names of the queries that the file has."""
        return self._native.queries()

    @property
    def params(self) -> dict[str, Any]:
        """Name -> value of the params that the file has: an array of the values of a swept one.

        Params that follow from a swept one are left out.
        """
        return {name: np.array(swept) if swept else value
                for name, value, is_swept, swept in self._native.params() if swept or not is_swept}

    @property
    def evidence(self) -> dict[str, str]:
        """Name -> label of the variables that the network observes itself."""
        return {name: self.variables[name].labels[state] for name, state in self._native.observations()}

    def __repr__(self) -> str:
        return f"Network({self.name!r}: {len(self.variables)} variables, {len(self._native.factors())} factors)"

    def _repr_html_(self) -> str:
        from mpf.notebook import network_html  # imports what only notebooks need
        return network_html(self)

    # Building.

    def var(self, name: str, states: int | Sequence[str]) -> None:
        """Adds a variable. `states`: its labels, or their number.

        >>> mpf.Network().var("light", ["red", "green"])
        """
        known = self.variables
        if isinstance(states, (str, bytes)):
            raise TypeError(f"the states of {name!r} are {states!r}: give a list of labels, or their number")
        if isinstance(states, (int, np.integer)):
            if not 1 <= states < 1 << 32:
                raise BadInput(f"variable {name!r} cannot have {states} states")
            self._native.add_numbered(name, int(states))
            known[name] = Variable(name, int(states), [])
        else:
            labels = [str(label) if isinstance(label, (int, np.integer)) else label for label in states]
            self._native.add_labelled(name, labels)
            known[name] = Variable(name, len(labels), labels)
        self._programs.clear()

    def prob(self, child: str, table: Any, given: str | Sequence[str] = (), normalise: bool = False) -> None:
        """Adds P(child | given).

        Args:
            - table: shape (states of each variable of `given`, ..., states of the child); rows over the last axis sum
                to 1.
            - normalise: divides rows that do not.

        >>> lights = mpf.Network()
        >>> lights.var("light", ["red", "green"])
        >>> lights.prob("light", [0.25, 0.75])
        """
        parents = [given] if isinstance(given, str) else list(given)
        values = self._table(f"P({child})", [*parents, child], table)
        self._native.add_conditional(child, parents, values, normalise)
        self._programs.clear()

    def factor(self, scope: str | Sequence[str], table: Any, name: str | None = None) -> None:
        """Adds a function of the variables `scope`; `table` has one axis for each.

        >>> pair = mpf.Network()
        >>> pair.var("x", 2)
        >>> pair.var("y", 3)
        >>> pair.factor(["x", "y"], [[1, 2, 3], [4, 5, 6]])
        >>> pair.query("z = sum() f0")
        21.0
        """
        scope = [scope] if isinstance(scope, str) else list(scope)
        values = self._table(name or "a factor", scope, table)
        if name is None:
            name = self._free_name()
        else:
            self._names = None
        self._native.add_factor(name, scope, values)
        self._programs.clear()

    def input(self, scope: str | Sequence[str], name: str, default: Any = None, negative: bool = False) -> None:
        """Adds a function whose values `Compiled.bind` sets. `negative`: they may be below 0.

        >>> later = mpf.Network()
        >>> later.var("x", 2)
        >>> later.input("x", "weights")
        >>> q = later.compile("P(x)")
        >>> q.bind("weights", [1, 3])
        >>> q.ask()
        Table(x; 0: 0.25, 1: 0.75)
        """
        scope = [scope] if isinstance(scope, str) else list(scope)
        values = np.empty(0) if default is None else self._table(name, scope, default)
        self._native.add_input(name, scope, negative, values)
        self._names = None
        self._programs.clear()

    def set(self, factor: str, table: Any) -> None:
        """Replaces the values of a factor. Compiled queries take the new values without being planned again.

        A query from `compile` that cannot have these values, negative ones for example, raises when it is asked.

        >>> m.set("P(rain)", [0.5, 0.5])
        >>> m.posterior("rain")
        Table(rain; no: 0.5, yes: 0.5)
        >>> m.set("P(rain)", [0.8, 0.2])
        """
        scope = next((row[1] for row in self._native.factors() if row[0] == factor), None)
        if scope is None:
            raise unknown("factor", factor, [row[0] for row in self._native.factors()])
        values = self._table(factor, scope, table)
        self._native.set_values(factor, values)
        for compiled in list(self._compiled_queries):
            try:
                compiled.rebind(factor, values)
            except Usage:  # the query is over other factors
                pass
            except Error as error:
                compiled.refuse(factor, error)
        self._programs.keep_current()

    def observe(self, findings: Mapping[str, Any]) -> None:
        """Adds evidence to the network itself: variable -> label, state number, or weights of its states.

        >>> m.observe({"wet": "yes"})
        >>> m.evidence
        {'wet': 'yes'}
        >>> m.unobserve("wet")
        """
        if not isinstance(findings, Mapping):
            raise TypeError(f"findings are a {type(findings).__name__}: give a dict from variables to findings")
        for name, value in findings.items():
            variable = self._variable(name)
            if is_weights(value):
                self._native.add_likelihood(name, np.array(weights_of(variable, value)))
            else:
                self._native.observe(name, variable.state(value))
        self._programs.clear()

    def unobserve(self, *names: str) -> None:
        """Takes the evidence on variables away.

        >>> m.observe({"rain": "no", "wet": [0.5, 0.25]})
        >>> m.unobserve("rain", "wet")
        """
        for name in names:
            self._native.unobserve(self._variable(name).name)
        self._programs.clear()

    def _variable(self, name: str) -> Variable:
        if text_of("variable", name) not in self.variables:
            raise unknown("variable", name, self.variables)
        return self.variables[name]

    def _free_name(self) -> str:
        if self._names is None:
            taken = {row[0] for row in self._native.factors()}
            self._names = (name for name in map("f{}".format, itertools.count()) if name not in taken)
        return next(self._names)

    def _table(self, name: str, scope: Sequence[str], table: Any) -> np.ndarray[Any, Any]:
        """The entries of a table as float64, row-major. Raises BadInput where its shape does not fit its scope."""
        shape = tuple(len(self._variable(v)) for v in scope)
        values = np.asarray(table)
        if np.ma.is_masked(table):
            raise BadInput(f"{name}: entries of the table are masked")
        if values.dtype.kind not in "biuf":
            raise TypeError(f"{name}: a table of numpy type {values.dtype} (numbers are needed)")
        if values.shape != shape:
            raise BadInput(f"{name}: the table has shape {values.shape}, its variables ({', '.join(scope)}) have {shape}")
        return np.ascontiguousarray(values, dtype=np.float64).reshape(-1)

    def _warn(self, told: Sequence[str]) -> None:
        """Warns once of each: compiling for other evidence finds the same again."""
        new = [text for text in told if text not in self._told]
        self._told.update(new)
        warn(new)
