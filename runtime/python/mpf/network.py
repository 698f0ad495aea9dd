"""Networks: read from files, built from arrays, asked and written."""
from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Union, overload

import numpy as np

from mpf import _mpf
from mpf.compiled import Compiled, is_weights
from mpf.compiling import compile_queries
from mpf.errors import Usage
from mpf.joined import Joined
from mpf.options import OF_ASKING, end_of, left_until, text_of, warn
from mpf.parts import Parts
from mpf.question import Question, fits
from mpf.row_tables import BestRows, RowTable
from mpf.table import Best, Marginals, Table

if TYPE_CHECKING:
    from mpf.notebook import Explanation

_Query = Union[str, tuple[str, ...], frozenset[tuple[str, ...]]]  # a text, a posterior over variables, or several


class Network(Parts):
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

        >>> q = m.compile("P(rain)")
        >>> q.ask({"wet": "yes"})["yes"]  # doctest: +ELLIPSIS
        0.666...
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
        weighed = tuple(sorted(name for name, value in (given or {}).items()
                               if is_weights(value) and name not in self.params))
        for name in ("observable", "likelihoods"):
            if not isinstance(options.get(name), (str, type(None))):  # compile refuses a text
                options[name] = tuple(options[name])
        key = (query, weighed, *sorted(options.items())) if options else (query, weighed)
        is_plain = is_plain and not weighed

        if cases is None and not rest and "observable" not in options:
            names = frozenset(given or ()).difference(self.params)
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

    def _text(self, query: str | tuple[str, ...]) -> str:
        """The text of a query in the language; a tuple is a posterior over these variables."""
        if isinstance(query, str):
            return query
        return f"P({', '.join(_mpf.spelled(self._variable(name).name) for name in query)})"

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

        >>> m.posterior("rain", given={"wet": "yes"})["yes"]  # doctest: +ELLIPSIS
        0.666...
        >>> m.posterior(["rain", "wet"]).shape
        (2, 2)
        >>> m.posterior("rain", cases={"wet": ["yes", None]}).values.round(3)
        array([[0.333, 0.667],
               [0.8  , 0.2  ]])
        """
        names = (variables,) if isinstance(variables, str) else tuple(text_of("variable", name) for name in variables)
        return self._ask(names, given, cases, options)

    def posteriors(self, scopes: Iterable[str | Sequence[str]], given: Mapping[str, Any] | None = None, cases: Any = None,
                   **options: Any) -> dict[Any, Any]:
        """Many posteriors at once, by one pass over the network where that pays: scope -> Table (or RowTable).

        Args:
            - scopes: names, and tuples or lists of names; the keys of the answer are names and tuples.
            - given, cases, options: those of `posterior`.

        >>> found = m.posteriors(["rain", ("rain", "wet")])
        >>> found["rain", "wet"]
        Table(rain, wet; no/no: 0.72, no/yes: 0.08, yes/no: 0.04, yes/yes: 0.16)
        """
        if isinstance(scopes, str):
            raise TypeError(f"scopes={scopes!r}: a list of names, and of tuples of names")
        keys = [scope if isinstance(scope, str) else tuple(scope) for scope in scopes]
        wanted = frozenset((key,) if isinstance(key, str) else key for key in keys)
        found = self._ask(wanted, given, cases, options) if keys else {}
        return {key: found[(key,) if isinstance(key, str) else key] for key in keys}

    def marginals(self, given: Mapping[str, Any] | None = None, cases: Any = None, **options: Any) -> Marginals:
        """The posterior of every variable: Marginals, name -> Table (or RowTable).

        >>> m.marginals(given={"rain": "yes"})["wet"]
        Table(wet; no: 0.2, yes: 0.8)
        """
        return self._ask("marginals", given, cases, options)

    @overload
    def log_evidence(self, given: Mapping[str, Any] | None = None, cases: None = None, **options: Any) -> float: ...
    @overload
    def log_evidence(self, given: Mapping[str, Any] | None = None, *, cases: Any, **options: Any) -> np.ndarray[Any, Any]: ...
    def log_evidence(self, given: Mapping[str, Any] | None = None, cases: Any = None, **options: Any) -> Any:
        """The natural logarithm of the evidence's probability; -inf if it is impossible.

        Other products of functions: the logarithm of the sum over all variables. For `cases` an array; for a pandas
        frame a Series with its index.

        >>> round(m.log_evidence(given={"wet": "yes"}), 6)
        -1.427116
        >>> m.log_evidence(cases={"wet": ["yes", "no"]}).shape
        (2,)
        """
        return self._ask("evidence", given, cases, options)

    @overload
    def best(self, given: Mapping[str, Any] | None = None, cases: None = None, **options: Any) -> Best: ...
    @overload
    def best(self, given: Mapping[str, Any] | None = None, *, cases: Any, **options: Any) -> BestRows: ...
    def best(self, given: Mapping[str, Any] | None = None, cases: Any = None, **options: Any) -> Any:
        """The most probable assignment: Best, name -> label, with `.log_value`; BestRows for `cases`.

        >>> m.best(given={"wet": "yes"})
        {'rain': 'yes', 'wet': 'yes'}
        >>> m.best(given={"wet": "yes"}).value  # doctest: +ELLIPSIS
        0.16...
        """
        return self._ask("best", given, cases, options)

    def query(self, query: str, given: Mapping[str, Any] | None = None, cases: Any = None, **options: Any) -> Any:
        """The answer of any other query: the name of one of the file, or a text of the language.

        With type="u64" or "u128" entries are exact ints.

        >>> m.query("z(wet) = sum() P(rain) * P(wet)")
        Table(wet; no: 0.76, yes: 0.24)
        """
        if not isinstance(query, str):
            raise Usage(f"a query is a text, not {query!r}")
        return self._ask(query, given, cases, options)

    # Leaving.

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes a file in the format of its ending. Warns of what the format cannot hold.

        >>> m.write("rain.bif")  # doctest: +SKIP
        """
        warn(self._native.write(os.fsdecode(path)))

    def text(self, ending: str = ".mpf") -> str:
        """The text of a file with this ending.

        >>> print(m.text().splitlines()[1])
        var rain, wet : { no, yes }
        """
        return self._native.text(ending)

    def explain(self, query: str | None = None) -> Explanation:
        """The page that says what a run needs; notebooks show it.

        >>> m.explain("marginals").save("page.html")  # doctest: +SKIP
        """
        from mpf.notebook import Explanation
        return Explanation(self, query)
