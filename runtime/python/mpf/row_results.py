"""Collects the results of many cases, piece by piece, by the kind of the query."""
import numpy as np

from mpf.results import tell_beyond, variables_named
from mpf.row_tables import BestRows, RowTable
from mpf.table import Marginals

class ExpressionRows:
    """Tables over the free variables, without any a number, for each case; `log`: in natural logarithms."""

    def __init__(self, compiled, log):
        self.compiled = compiled
        self.log = log
        self.parts = []
        self.shape = None
        self.count = 0
        self.told = False

    def add(self, answers, skipped):
        names, is_log, is_integer, _ = answers.tables()[0]
        self.shape = variables_named(self.compiled, names)
        if self.log or is_log:
            values = answers.logs(0)
        elif is_integer:
            values = np.array(answers.integers(0), dtype=object).reshape(answers.count, -1)
        else:
            values = answers.values(0)
            self.told = self.told or tell_beyond(answers, skipped, self.count)
        self.count += answers.count
        self.parts.append(_without(values, skipped))

    def result(self, index):
        values = _joined(self.parts)
        if not self.shape:
            return _numbers(values, index, None)
        return RowTable(values.reshape([-1, *map(len, self.shape)]), self.shape, index)


class _EvidenceRows:
    def __init__(self, compiled, log):
        self.parts = []

    def add(self, answers, skipped):
        self.parts.append(_without(answers.logs(0), skipped))

    def result(self, index):
        return _numbers(_joined(self.parts), index, "log_evidence")


class _PosteriorRows(ExpressionRows):
    def add(self, answers, skipped):
        self.shape = variables_named(self.compiled, answers.tables()[0][0])
        self.parts.append(_posteriors(answers, 0, skipped, self.log))


class _MarginalRows:
    def __init__(self, compiled, log):
        self.compiled = compiled
        self.log = log
        self.parts = {}
        self.logs = []

    def add(self, answers, skipped):
        self.logs.append(_without(answers.logs(0), skipped))
        for number, table in enumerate(answers.tables()[1:], 1):
            part = _posteriors(answers, number, skipped, self.log)
            self.parts.setdefault(table[3], (variables_named(self.compiled, table[0]), []))[1].append(part)

    def result(self, index):
        found = Marginals()
        found.log_evidence = _numbers(_joined(self.logs), index, "log_evidence")
        for name, (variables, parts) in self.parts.items():
            found[name] = RowTable(_joined(parts).reshape([-1, *map(len, variables)]), variables, index)
        return found


class _BestRows:
    def __init__(self, compiled, log):
        self.compiled = compiled
        self.states = []
        self.logs = []

    def add(self, answers, skipped):
        self.logs.append(_without(answers.logs(0), skipped))
        states = answers.states()[:, :len(self.compiled.variables)].astype(np.int32)
        states[skipped] = -1
        self.states.append(states)  # no state is the largest number, which becomes -1

    def result(self, index):
        states = np.concatenate(self.states) if self.states else np.empty((0, len(self.compiled.variables)), np.int32)
        return BestRows(states, _joined(self.logs).reshape(-1), self.compiled.variables, index)


ROW_RESULTS = {"evidence": _EvidenceRows, "joint": _PosteriorRows, "marginals": _MarginalRows,
               "joints": _MarginalRows, "best": _BestRows, "optimum": _BestRows}


def _posteriors(answers, number, skipped, log):
    """Posteriors, case by case; NaN where there are none."""
    values = answers.values(number)
    return _without(answers.logs(number) if log else values, skipped, impossible=~values.any(axis=1))


def _without(values, skipped, impossible=None):
    """A copy with NaN in the rows that have no answer."""
    values = np.array(values)
    if impossible is not None:
        values[impossible] = np.nan
    if skipped:
        values[skipped] = np.nan
    return values


def _numbers(values, index, name):
    """A number for each case: a pandas Series for a frame, else an array."""
    if index is None:
        return values.reshape(-1)
    import pandas  # the cases are a frame of it
    return pandas.Series(values.reshape(-1), index=index, name=name)


def _joined(parts):
    return parts[0] if len(parts) == 1 else np.concatenate(parts) if parts else np.empty((0, 1))
