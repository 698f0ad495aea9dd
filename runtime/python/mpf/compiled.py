"""Compiled queries: planned once, asked as often as you like."""
from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from mpf import _mpf
from mpf.cases import choose_columns, combinations, rows_of
from mpf.device_rows import DeviceAsker, are_on_device
from mpf.piece import PIECE
from mpf.errors import BadInput, Usage
from mpf.names import unknown
from mpf.options import end_of, left_until
from mpf.results import RESULTS, expression, in_logs
from mpf.row_results import ROW_RESULTS, ExpressionRows
from mpf.table import Table
from mpf.variable import Variable

_SCALARS = (str, int, float, bool, type(None))


def is_weights(value: Any) -> bool:
    """Whether a finding is soft evidence: a weight for each state, not one state."""
    return not isinstance(value, _SCALARS) and (isinstance(value, (list, tuple, dict))
                                                 or getattr(value, "ndim", 0) > 0)


class Compiled:
    """A query of a network, compiled for any evidence.

    `mpf.compile` and `mpf.load` make one. Calls from several threads are answered one after the other. It can be
    pickled: the bytes are those of `save`, and kernels in them are not trusted.

    Attributes:
        - kind: "evidence", "joint", "marginals", "best", "expression" or "optimum"; "joints": several posteriors.
        - variables: the variables of the network.
        - sweeps: name -> values of the params that the network sweeps.

    >>> m.compile("marginals").ask({"wet": "yes"})["wet"]["yes"]
    1.0
    """

    def __init__(self, program: Any, options: Mapping[str, Any] | None = None,
                 scopes: Mapping[str, tuple[str, ...]] | None = None) -> None:
        self._program = program
        self._options = dict(options or {})
        self._states = self._options.pop("states", "")
        self.variables = [Variable(*row, self._states) for row in program.variables()]
        self.by_name = {variable.name: variable for variable in self.variables}
        observed, weighed = program.observed(), program.likelihoods()
        self.columns = {self.variables[v].name: column for column, v in enumerate(observed)}
        self._likelihoods = {self.variables[v].name: number for number, v in enumerate(weighed)}
        self._known = {name: {} for name in self.columns}  # value -> (column, code), by variable
        self.sweeps = {name: np.array(values) for name, values in program.params()}
        self.kind = program.kind()
        self._result = RESULTS.get(self.kind, expression)
        self.asked = None  # the variables of the tables, once they are known
        self._session = None
        self._asker = None  # of cases on the GPU
        self._bound = {}
        self._refused = {}  # factor -> why this query cannot have the values of the network
        self._scopes = dict(scopes or {})

    def __repr__(self) -> str:
        return f"Compiled({self.kind!r}: {len(self.variables)} variables)"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a .mpfb file, which `mpf.load` and `mpfc run --cases` read without planning.

        >>> m.compile("P(rain)").save("rain.mpfb")  # doctest: +SKIP
        """
        self._program.save(os.fsdecode(path))

    def __getstate__(self) -> dict[str, Any]:
        return {"bytes": self._program.to_bytes(), "options": self._options, "states": self._states,
                "bound": self._bound, "refused": self._refused, "scopes": self._scopes}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(_mpf.load_bytes(state["bytes"]), {**state["options"], "states": state["states"]},
                      state["scopes"])
        self._bound = state["bound"]
        self._refused = state["refused"]

    def bind(self, factor: str, values: Any) -> None:
        """Sets the values of a factor.

        `values` has an axis for each variable of the factor, or is flat and row-major. Rows of a conditional table
        sum to 1. A query from `load` knows no scopes: it takes flat values.

        >>> q = m.compile("P(rain)")
        >>> q.bind("P(rain)", [0.5, 0.5])
        >>> q.ask()
        Table(rain; no: 0.5, yes: 0.5)
        """
        if np.ma.is_masked(values):
            raise BadInput(f"{factor}: entries of the values are masked")
        values = np.asarray(values)
        if values.dtype.kind not in "biuf":
            raise BadInput(f"{factor}: values of numpy type {values.dtype} (numbers are needed)")
        scope = self._scopes.get(factor)
        shape = None if scope is None else tuple(len(self.by_name[name]) for name in scope)
        if values.ndim != 1 and values.shape != shape:
            raise BadInput(f"{factor}: the values have shape {values.shape}" +
                           (", flat values are needed" if scope is None else
                            f", its variables ({', '.join(scope)}) have {shape}"))
        self.rebind(factor, np.ascontiguousarray(values, dtype=np.float64).reshape(-1))

    def rebind(self, factor, flat):
        """Sets checked values, as float64. `Network.set` calls it."""
        self._session_for(None, None).bind(factor, flat)
        if self._asker is not None:
            self._asker.session.bind(factor, flat)
        self._bound[factor] = flat
        self._refused.pop(factor, None)

    @property
    def is_current(self) -> bool:
        """Whether it has the values of its network."""
        return not self._refused

    def refuse(self, factor, why):
        """Makes later questions raise, until the factor gets values that this query can have."""
        self._refused[factor] = why

    def _session_for(self, rows, end):
        """The session, opened at the first call. Many rows may pay for a better engine than one case does."""
        session = self._session
        if session is None or (rows is not None and rows > 8 * session[0]):
            expected = rows or 1
            opened = _mpf.Session(self._program, rows=expected, seconds=left_until(end), **self._options)
            for factor, values in self._bound.items():
                opened.bind(factor, values)
            self._session = session = (expected, opened)
        return session[1]

    @property
    def case_us(self) -> float:
        """The microseconds that a question takes, by prediction."""
        return 0.0 if self._session is None else self._session[1].case_us()

    @property
    def cases_per_plan(self) -> int:
        """How many questions take as long as compiling the query, by prediction."""
        return 0 if self._session is None else self._session[1].cases_per_plan()

    def _device_asker(self, end):
        if self._asker is None:
            if self._options.get("device") == "cpu":
                raise Usage("cases lie in the memory of a GPU, and device=\"cpu\"")
            session = _mpf.Session(self._program, seconds=left_until(end), on_device=True,
                                   **{**self._options, "device": "gpu"})
            for factor, values in self._bound.items():
                session.bind(factor, values)
            self._asker = DeviceAsker(self, session, _mpf.Block(self._program, 1))
        return self._asker

    # One case.

    def ask(self, given: Mapping[str, Any] | None = None, cases: Any = None, *,
            ignore: bool | Collection[str] = (), errors: str = "raise", log: bool = False, progress: bool = False,
            timeout: float | None = None, stream: Any = None, exact: bool = False) -> Any:
        """Answers the query.

        Args:
            - given: variable -> label, state number, or weights of its states (declared by `likelihoods=`). A param that
                the network sweeps -> its value in every row.
            - cases: rows instead of one case: arrays, a dict of columns, a frame (mpf.cases). `given` then holds in
                every row. A network that sweeps params is asked for rows: they have a column for each param that is not
                given. Without `cases` there is a row for each combination of the values, the last param fastest.
            - ignore: columns to leave out; True: all that are no variables.
            - errors: "raise", or "skip": a row with a wrong cell, or with params that the network refuses, gets NaN.
            - log: True gives values as natural logarithms. An answer whose greatest value lies beyond doubles is infinite
                or 0 without it, and warns.
            - progress: True shows a bar of tqdm.
            - timeout: the seconds after which the call ends with TimeLimit. Ctrl-C ends it at any time.
            - stream: the CUDA stream for cases on a GPU; None: the current one of torch or CuPy, else the default one.
                The call does not wait for it: so a wrong cell gives NaN, as with errors="skip", and `timeout` is that
                of opening the session.
            - exact: for cases on a GPU. A row whose numbers leave the range of doubles there has NaN; with True the call
                waits, and the host answers such rows. Rows in the host's memory are always answered.

        Returns:
            For one case, by the kind of the query: a float (log of the evidence), Table, Marginals or Best. For
            cases: the same with an entry for each row.

        >>> q = m.compile("P(rain)")
        >>> q.ask({"rain": "no"})
        Table(rain; no: 1, yes: 0)
        >>> q.ask(cases=[{"wet": "yes"}, {}]).shape
        (2, 2)
        """
        for why in self._refused.values():
            raise why
        if errors not in ("raise", "skip"):
            raise Usage(f"errors={errors!r}: 'raise' or 'skip'")
        if given is not None and not isinstance(given, Mapping):
            raise TypeError(f"given is a {type(given).__name__}: give a dict from variables to findings")
        given = given or {}
        params = {name: _number(name, given[name]) for name in self.sweeps if name in given}
        if params:
            given = {name: value for name, value in given.items() if name not in params}
        if cases is None and self.sweeps:
            cases, params = combinations({name: params.get(name, values) for name, values in self.sweeps.items()}), {}
        if cases is not None and are_on_device(cases):
            if progress:
                raise Usage("progress=True: a call for cases on a GPU does not wait for them")
            return self._device_asker(end_of(timeout)).ask(self, given, cases, ignore, log, stream, exact)
        if cases is not None:
            return self._ask_rows(given, params, cases, ignore, errors, log, progress, end_of(timeout))
        end = end_of(timeout)
        codes, weights = self.findings(given) if given else ((), ())
        answers = self._session_for(None, end).run_one(codes, weights, left_until(end))
        return in_logs(self, answers) if log else self._result(self, answers)

    def ask_known(self, given):
        """The answer of a query that was asked before to findings that it has read before; None: there are others."""
        if self.sweeps:
            return None
        known = self._known
        try:
            codes = [known[name][value] for name, value in given.items()] if given else ()
        except (KeyError, TypeError):
            return None
        return self._result(self, self._session[1].run_one(codes, (), None))

    def findings(self, given):
        codes, weights = [], []
        known = self._known
        for name, value in given.items():
            try:
                codes.append(known[name][value])
            except (KeyError, TypeError):
                self._read_finding(name, value, codes, weights)
        return codes, weights

    def _read_finding(self, name, value, codes, weights):
        if name not in self.by_name:
            raise unknown("variable", name, self.by_name)
        variable = self.by_name[name]
        if is_weights(value):
            weights.append((self._likelihood(name), weights_of(variable, value)))
            return
        if name not in self.columns:
            raise Usage(f"the network observes {name!r} itself, or the query was not compiled for evidence on it")
        code = variable.code(value)
        entry = (self.columns[name], code)
        if code < len(variable):  # few values name a state; any number of objects are NaN
            self._known[name][value] = entry
        codes.append(entry)

    def _likelihood(self, name):
        if name not in self._likelihoods:
            raise Usage(f"the query was not compiled for soft evidence on {name!r}: name it in likelihoods=")
        return self._likelihoods[name]

    # Rows.

    def _ask_rows(self, given, params, cases, ignore, errors, log, progress, end):
        rows = rows_of(cases, [variable.name for variable in self.variables])
        chosen = choose_columns(rows, self.by_name, self.columns, ignore, self.sweeps, params)
        codes, weights = self.findings(given)
        for name, _, _ in chosen:
            if name in given:
                raise Usage(f"{name!r} is given, and a column of the cases")
        expected = PIECE if rows.count is None else rows.count
        session = self._session_for(expected, end)
        block = _mpf.Block(self._program, min(PIECE, max(expected, 1)))
        for column, code in codes:
            block.fill_column(column, code)
        for likelihood, values in weights:
            block.fill_weights(likelihood, values)
        collect, skips = ROW_RESULTS.get(self.kind, ExpressionRows)(self, log), errors == "skip"
        for piece in _watched(rows.pieces(), rows.count, progress):
            block.start(piece.first, piece.count)
            skipped = _fill(piece, chosen, block, errors)
            for column, name in enumerate(self.sweeps):
                is_given = name in params
                block.fill_param(column, np.full(piece.count, params[name]) if is_given else piece.numbers(name, skips))
            answers = session.run(block, left_until(end), skips)
            collect.add(answers, sorted({*skipped, *answers.refused()}))
        return collect.result(rows.index)


def _number(param, value):
    if isinstance(value, (bool, np.bool_)) or not np.isscalar(value):
        raise BadInput(f"the param {param!r} is given {value!r}, which is no number")
    try:
        return float(value)
    except ValueError:
        raise BadInput(f"the param {param!r} is given {value!r}, which is no number") from None


def weights_of(variable, value):
    """The weights of a variable's states, as floats. A dict, a Table or a Series names the states itself."""
    if isinstance(value, Table):
        if [v.name for v in value.variables] != [variable.name]:
            raise BadInput(f"a table over {', '.join(value.names)} has no weights of {variable.name!r}")
        value = value.to_dict()
    elif hasattr(value, "index") and hasattr(value, "items") and type(value.index).__name__ != "RangeIndex":
        value = dict(value.items())  # a pandas Series with labels
    if isinstance(value, dict):
        by_state = {}
        for key, weight in value.items():
            if by_state.setdefault(variable.state(key), weight) is not weight:
                raise BadInput(f"the weights of {variable.name!r} name the state {key!r} twice")
        value = [by_state.get(state, 0.0) for state in range(len(variable))]
    if np.ma.is_masked(value):
        raise BadInput(f"weights of {variable.name!r} are masked")
    try:
        weights = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadInput(f"the weights of {variable.name!r} are no numbers: {value!r}") from None
    if weights.shape != (len(variable),):
        raise BadInput(f"{variable.name!r} has {len(variable)} states: weights of shape {weights.shape} do not fit")
    if not (np.isfinite(weights).all() and (weights >= 0).all() and weights.any()):
        raise BadInput(f"the weights of {variable.name!r} must be finite, not negative, and not all 0: {value}")
    return weights.tolist()


def _fill(piece, chosen, block, errors):
    """Sets the codes of a piece. Returns the rows whose cells are wrong; they observe nothing."""
    if errors == "raise":
        for name, variable, column in chosen:
            piece.fill(name, variable, block, column)
        return []
    return sorted({row for name, variable, column in chosen for row in piece.fill_skipping(name, variable, block, column)})


def _watched(pieces, count, progress):
    if not progress:
        yield from pieces
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        raise Usage("progress=True shows a bar of tqdm, which is not installed") from None
    with tqdm(total=count, unit="row", unit_scale=True) as bar:
        for piece in pieces:
            yield piece
            bar.update(piece.count)
