"""Rows of evidence from numpy, dicts, pandas, polars and pyarrow, as pieces of at most 64 Ki rows."""
import numpy as np

from mpf.arrow import ArrowRows
from mpf.piece import PIECE, Piece
from mpf.columns import Objects, column_of, host_array
from mpf.errors import BadInput, Usage
from mpf.names import unknown

class Rows:
    """Columns of equal length in memory.

    Attributes:
        - names: the names of the columns.
        - index: the index of a DataFrame, else None.
    """

    def __init__(self, columns, index=None):
        self.columns = columns
        self.names = list(columns)
        self.index = index
        lengths = {name: len(column) for name, column in columns.items()}
        if len(set(lengths.values())) > 1:
            shown = ", ".join(f"{name!r} {length}" for name, length in list(lengths.items())[:6])
            raise BadInput(f"the columns differ in length: {shown}")
        self.count = next(iter(lengths.values()), 0)

    def pieces(self):
        for first in range(0, max(self.count, 1), PIECE):  # no rows have an answer too: its shape
            yield Piece(first, min(PIECE, self.count - first), self.columns, first)


class KeptRows:
    """The rows of any cases, for several programs: what can be read only once is kept in memory."""

    def __init__(self, rows):
        self.names, self.index = rows.names, rows.index
        self._pieces = list(rows.pieces())
        self.count = sum(piece.count for piece in self._pieces)

    def pieces(self):
        return self._pieces


def rows_of(cases, names):
    """Returns the rows of `cases`; `names` are the variables that an array without names has as columns.

    An array [case, variable] has a column for each variable of the network, in its order; a structured array, a dict
    and a frame have names. Objects with `__arrow_c_stream__` (polars, pyarrow) are read through it.
    """
    if isinstance(cases, KeptRows):
        return cases
    if isinstance(cases, np.ndarray):
        return _of_array(cases, names)
    if isinstance(cases, dict):
        return Rows({_text(name): column_of(values) for name, values in cases.items()})
    if type(cases).__module__.startswith("pandas") and hasattr(cases, "columns"):
        twice = cases.columns[cases.columns.duplicated()]
        if len(twice):
            raise BadInput(f"the frame has two columns {twice[0]!r}")
        rows = Rows({_text(name): column_of(cases[name]) for name in cases.columns}, cases.index)
        rows.count = len(cases)  # a frame without columns has rows too
        return rows
    if hasattr(cases, "__arrow_c_stream__"):
        return ArrowRows(cases)
    if hasattr(cases, "__dlpack__"):
        return _of_array(host_array(cases), names)
    if isinstance(cases, (list, tuple)):
        return _of_dicts(cases)
    raise TypeError(f"cases of type {type(cases).__name__}: give an array, a dict of columns, a list of dicts, a "
                    "pandas or polars frame, or an Arrow table")


def _text(name):
    if not isinstance(name, str):
        raise BadInput(f"a column is called {name!r}, which is no text")
    return name


def _of_array(array, names):
    if array.dtype.names:
        return Rows({name: column_of(array[name]) for name in array.dtype.names})
    if array.ndim != 2 or array.shape[1] != len(names):
        raise BadInput(f"cases have shape {array.shape}: rows of {len(names)} states, one for each variable, are needed")
    return Rows({name: column_of(array[:, column]) for column, name in enumerate(names)})


def _of_dicts(cases):
    columns = {}
    for row, case in enumerate(cases):
        if not isinstance(case, dict):
            raise BadInput(f"row {row}: {type(case).__name__} is no dict of findings")
        for name, value in case.items():
            if name not in columns:
                columns[_text(name)] = np.full(len(cases), None, dtype=object)
            columns[name][row] = value
    rows = Rows({name: Objects(cells) for name, cells in columns.items()})
    rows.count = len(cases)
    return rows


def combinations(sweeps):
    """Columns with a row for each combination of the values of params, the last param fastest."""
    grid = np.meshgrid(*sweeps.values(), indexing="ij")
    return {name: values.reshape(-1) for name, values in zip(sweeps, grid)}


def choose_columns(rows, variables, columns, ignore, params=(), given=()):
    """Returns (name, Variable, column of the block) for each column of the rows that observes a variable.

    `columns`: name -> column of the block. `ignore`: names to leave out, or True for all that are no variables.
    `params`: names of params, each of which must have a column or be `given`, not both.
    """
    chosen = []
    named = () if isinstance(ignore, bool) else (ignore,) if isinstance(ignore, str) else tuple(ignore)
    for name in named:
        if name not in rows.names:
            raise unknown("column", name, rows.names)
    for name in rows.names:
        if name in named or name in params:
            continue
        if name in columns:
            chosen.append((name, variables[name], columns[name]))
        elif name in variables:
            raise Usage(f"column {name!r}: the network observes this variable itself")
        elif ignore is not True:
            raise unknown("variable", name, [*variables, *params], "ignore= leaves a column out")
    for name in params:
        is_column = name in rows.names and name not in named
        if name in given and is_column:
            raise Usage(f"{name!r} is given, and a column of the cases")
        if name not in given and not is_column:
            raise Usage(f"the network sweeps the param {name!r}: the cases need a column of it")
    return chosen

