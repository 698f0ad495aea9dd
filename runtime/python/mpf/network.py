"""Networks: read from files, built from arrays, asked and written."""
from __future__ import annotations

import itertools
import os
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Union, overload

import numpy as np

from mpf import _mpf
from mpf.compiled import Compiled, is_weights, weights_of
from mpf.compiling import compile_queries
from mpf.errors import BadInput, Error, Usage
from mpf.factor import Factor
from mpf.joined import Joined
from mpf.names import unknown
from mpf.options import OF_ASKING, end_of, left_until, text_of, warn
from mpf.programs import Programs
from mpf.question import Question, fits
from mpf.row_tables import BestRows, RowTable
from mpf.table import Best, Marginals, Table
from mpf.variable import Variable

if TYPE_CHECKING:
    from mpf.notebook import Explanation

_Query = Union[str, tuple[str, ...], frozenset[tuple[str, ...]]]  # a text, a posterior over variables, or several


class Network:
    """A product of discrete functions: a Bayesian network, a factor graph, or any other.

    >>> import mpf
    >>> m = mpf.Network()
    >>> m.var("rain", ["no", "yes"])
    >>> m.var("wet", ["no", "yes"])
    >>> m.prob("rain", [0.8, 0.2])
    >>> m.prob("wet", [[0.9, 0.1], [0.2, 0.8]], given=["rain"])
    >>> m.posterior("rain", given={"wet": "yes"})
    Table(rain; no: 0.333333, yes: 0.666667)

    A network that sweeps params is asked for many cases: `Compiled.ask`.

    Queries are compiled at their first call and kept for other evidence. Any number of threads may ask a network;
    one that changes it must be alone.
    """

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
    def _of(cls, native: _mpf.Network) -> Network:
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
        """Adds a variable. `states`: its labels, or their number."""
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
        """
        parents = [given] if isinstance(given, str) else list(given)
        values = self._table(f"P({child})", [*parents, child], table)
        self._native.add_conditional(child, parents, values, normalise)
        self._programs.clear()

    def factor(self, scope: str | Sequence[str], table: Any, name: str | None = None) -> None:
        """Adds a function of the variables `scope`; `table` has one axis for each."""
        scope = [scope] if isinstance(scope, str) else list(scope)
        values = self._table(name or "a factor", scope, table)
        if name is None:
            name = self._free_name()
        else:
            self._names = None
        self._native.add_factor(name, scope, values)
        self._programs.clear()

    def input(self, scope: str | Sequence[str], name: str, default: Any = None, negative: bool = False) -> None:
        """Adds a function whose values `Compiled.bind` sets. `negative`: they may be below 0."""
        scope = [scope] if isinstance(scope, str) else list(scope)
        values = np.empty(0) if default is None else self._table(name, scope, default)
        self._native.add_input(name, scope, negative, values)
        self._names = None
        self._programs.clear()

    def set(self, factor: str, table: Any) -> None:
        """Replaces the values of a factor. Compiled queries take the new values without being planned again.

        A query from `compile` that cannot have these values, negative ones for example, raises when it is asked.
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
        """Adds evidence to the network itself: variable -> label, state number, or weights of its states."""
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
        """Takes the evidence on variables away."""
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

    # Asking.

    def compile(self, query: str, *, likelihoods: Sequence[str] = (), observable: Sequence[str] | None = None, type: str = "",
                device: str = "auto", memory: int | None = None, threads: int = 0, states: str = "",
                timeout: float | None = None) -> Compiled:
        """Compiles a query.

        Args:
            - query: the name of a query of the file, or a text of the language: "P(a, b)", "marginals", "best",
                "evidence", "total() = sum() f * g".
            - likelihoods: variables that get soft evidence.
            - observable: the variables that evidence may name; None: all. With fewer of them networks are answered
                faster, since the rest of the network may be left out.
            - type: "f64", "f32", or "u64", "u128" for whole numbers.
            - device: "auto", "cpu" or "gpu".
            - memory: the most bytes of its tables; None: the free memory.
            - threads: 0: one for each core.
            - states: how numbers name states where labels look like numbers: "labels" or "numbers".
            - timeout: the seconds after which compiling ends with TimeLimit.
        """
        return compile_queries(self, [text_of("query", query)], likelihoods=likelihoods, observable=observable, type=type,
                               device=device, memory=memory, threads=threads, states=states, timeout=timeout)[0]

    def _ask(self, query: _Query, given: Mapping[str, Any] | None, cases: Any, options: dict[str, Any]) -> Any:
        is_plain = cases is None and not options
        if is_plain:
            answer = self._programs.ask_again(query, given)
            if answer is not None:
                return answer
        rest = {name: options.pop(name) for name in OF_ASKING if name in options}
        if given is not None and not isinstance(given, Mapping):
            raise TypeError(f"given is a {type(given).__name__}: give a dict from variables to findings")
        weighed = tuple(sorted(name for name, value in given.items() if is_weights(value))) if given else ()
        for name in ("observable", "likelihoods"):
            if not isinstance(options.get(name), (str, type(None))):  # compile refuses a text
                options[name] = tuple(options[name])
        key = (query, weighed, *sorted(options.items())) if options else (query, weighed)
        is_plain = is_plain and not weighed

        if cases is None and not rest and "observable" not in options:
            names = frozenset(given or ())
            narrow = self._programs.narrow(key, names)
            if narrow is None and self._programs.pays(key, names):
                narrow = self._programs.try_narrow(
                    key, names, lambda general: self._compile_narrow(query, weighed, names, options, general))
            answer = None if narrow is None else narrow.ask(given)
            if answer is not None:
                if is_plain:
                    self._programs.keep_question(query, given, names, narrow)
                return answer
        end = end_of(rest.get("timeout"))  # of compiling and asking
        general = self._programs.general(
            key, lambda: self._compile_for(query, weighed, options, timeout=left_until(end)))
        answer = general.ask(given, cases, **{**rest, "timeout": left_until(end)})
        if is_plain:
            self._programs.keep_question(query, given, names, general)
        return answer

    def _compile_for(self, query: _Query, weighed: tuple[str, ...], options: Mapping[str, Any], **more: Any) -> Any:
        for name in weighed:
            self._variable(name)
        likelihoods = tuple(dict.fromkeys((*weighed, *options.get("likelihoods", ()))))
        how = {**options, **more, "likelihoods": likelihoods}
        if isinstance(query, frozenset):
            return Joined(compile_queries(self, [self._text(names) for names in sorted(query, key=repr)], **how))
        return self.compile(self._text(query), **how)

    def _compile_narrow(self, query: _Query, weighed: tuple[str, ...], names: frozenset[str],
                        options: Mapping[str, Any], general: Compiled) -> Compiled | Question:
        if not weighed and not options.get("likelihoods") and fits(query, names, general):
            return Question(self._native, self._text(query), sorted(names), general, options)
        return self._compile_for(query, weighed, options, observable=sorted(names.difference(weighed)))

    def _warn(self, told: Sequence[str]) -> None:
        """Warns once of each: compiling for other evidence finds the same again."""
        new = [text for text in told if text not in self._told]
        self._told.update(new)
        warn(new)

    def _text(self, query: str | tuple[str, ...]) -> str:
        """The text of a query in the language; a tuple is a posterior over these variables."""
        if isinstance(query, str):
            return query
        return f"P({', '.join(self._native.spelled(self._variable(name).name) for name in query)})"

    @overload
    def posterior(self, variables: str | Sequence[str], given: Mapping[str, Any] | None = None, cases: None = None,
              **options: Any) -> Table: ...
    @overload
    def posterior(self, variables: str | Sequence[str], given: Mapping[str, Any] | None = None, *, cases: Any,
              **options: Any) -> RowTable: ...
    def posterior(self, variables: str | Sequence[str], given: Mapping[str, Any] | None = None, cases: Any = None, **options: Any) -> Any:
        """The posterior of a variable, or of several together: a Table, or a RowTable for `cases`.

        Args:
            - variables: a name or a list of names.
            - given: variable -> label, state number, or weights of its states (soft evidence).
            - cases: rows of evidence: a numpy array, a dict of columns, a frame, an Arrow table.
            - options: those of `compile` and of `Compiled.ask`.
        """
        names = (variables,) if isinstance(variables, str) else tuple(text_of("variable", name) for name in variables)
        return self._ask(names, given, cases, options)

    def posteriors(self, scopes: Iterable[str | Sequence[str]], given: Mapping[str, Any] | None = None, cases: Any = None,
                   **options: Any) -> dict[Any, Any]:
        """Many posteriors at once, by one pass over the network where that pays: scope -> Table (or RowTable).

        Args:
            - scopes: names, and tuples or lists of names; the keys of the answer are names and tuples.
            - given, cases, options: those of `posterior`.
        """
        if isinstance(scopes, str):
            raise TypeError(f"scopes={scopes!r}: a list of names, and of tuples of names")
        keys = [scope if isinstance(scope, str) else tuple(scope) for scope in scopes]
        wanted = frozenset((key,) if isinstance(key, str) else key for key in keys)
        found = self._ask(wanted, given, cases, options) if keys else {}
        return {key: found[(key,) if isinstance(key, str) else key] for key in keys}

    def marginals(self, given: Mapping[str, Any] | None = None, cases: Any = None, **options: Any) -> Marginals:
        """The posterior of every variable: Marginals, name -> Table (or RowTable)."""
        return self._ask("marginals", given, cases, options)

    @overload
    def log_evidence(self, given: Mapping[str, Any] | None = None, cases: None = None, **options: Any) -> float: ...
    @overload
    def log_evidence(self, given: Mapping[str, Any] | None = None, *, cases: Any, **options: Any) -> np.ndarray[Any, Any]: ...
    def log_evidence(self, given: Mapping[str, Any] | None = None, cases: Any = None, **options: Any) -> Any:
        """The natural logarithm of the evidence's probability; -inf if it is impossible.

        Other products of functions: the logarithm of the sum over all variables. For `cases` an array; for a pandas
        frame a Series with its index.
        """
        return self._ask("evidence", given, cases, options)

    @overload
    def best(self, given: Mapping[str, Any] | None = None, cases: None = None, **options: Any) -> Best: ...
    @overload
    def best(self, given: Mapping[str, Any] | None = None, *, cases: Any, **options: Any) -> BestRows: ...
    def best(self, given: Mapping[str, Any] | None = None, cases: Any = None, **options: Any) -> Any:
        """The most probable assignment: Best, name -> label, with `.log_value`; BestRows for `cases`."""
        return self._ask("best", given, cases, options)

    def query(self, query: str, given: Mapping[str, Any] | None = None, cases: Any = None, **options: Any) -> Any:
        """The answer of any other query: the name of one of the file, or a text of the language.

        With type="u64" or "u128" entries are exact ints.
        """
        if not isinstance(query, str):
            raise Usage(f"a query is a text, not {query!r}")
        return self._ask(query, given, cases, options)

    # Leaving.

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes a file in the format of its ending. Warns of what the format cannot hold."""
        warn(self._native.write(os.fsdecode(path)))

    def text(self, ending: str = ".mpf") -> str:
        """The text of a file with this ending."""
        return self._native.text(ending)

    def explain(self, query: str | None = None) -> Explanation:
        """The page that says what a run needs; notebooks show it."""
        from mpf.notebook import Explanation
        return Explanation(self, query)
