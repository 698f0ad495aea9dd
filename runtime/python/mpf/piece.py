"""A piece of a list of cases, which goes into one block."""
import numbers

import numpy as np

from mpf.errors import BadInput

PIECE = 1 << 16
_STRETCH = 1 << 10  # rows that are read again after a wrong cell, at most


class Piece:
    """Some consecutive rows: `count` of them from row `first` of the whole list."""

    __slots__ = ("first", "count", "columns", "begin")

    def __init__(self, first, count, columns, begin):
        self.first = first
        self.count = count
        self.columns = columns
        self.begin = begin  # the row of the columns where the piece begins

    def fill(self, name, variable, block, column):
        """Sets the codes of one variable. Raises BadInput with row and column for a cell that is no state."""
        bad = self.columns[name].fill(variable, block, column, self.begin, 0, self.count) if self.count else -1
        if bad < 0:
            return
        cell = self.columns[name].cell(self.begin + bad)
        try:
            variable.code(cell)
            reason = f"{cell!r} is no state of {variable.name!r}"
        except BadInput as error:
            reason = str(error)
        raise BadInput(f"row {self.first + bad}, column {name!r}: {reason}")

    def numbers(self, name, skips):
        """The cells of a column of numbers, as float64. Other cells raise BadInput; NaN with `skips`."""
        column = self.columns[name]
        array = getattr(column, "array", None)
        if isinstance(array, np.ndarray) and array.dtype.kind in "iuf":
            return np.array(array[self.begin:self.begin + self.count], dtype=np.float64)
        found = np.empty(self.count)
        for row in range(self.count):
            cell = column.cell(self.begin + row)
            is_number = isinstance(cell, (numbers.Real, np.number)) and not isinstance(cell, bool)
            if not is_number and not skips:
                raise BadInput(f"row {self.first + row}, column {name!r}: {cell!r} is no number")
            found[row] = cell if is_number else np.nan
        return found

    def fill_skipping(self, name, variable, block, column):
        """Sets the codes of one variable. Returns the places of wrong cells, which observe nothing."""
        wrong, at = [], 0
        while at < self.count:
            here = min(_STRETCH, self.count - at)
            bad = self.columns[name].fill(variable, block, column, self.begin + at, at, here)
            if bad < 0:
                at += here
                continue
            block.set_code(column, bad, len(variable))
            wrong.append(bad)
            at = bad + 1
        return wrong
