"""Columns of rows in memory: each sets the codes of a stretch of a block.

`fill(variable, block, column, first, at, count)` sets `count` cases of the block, from case `at`, to the rows from
`first`. It returns the first case whose cell is no state, or -1. `cell(row)` is that cell, for the message.
"""
import numpy as np

from mpf.arrow import ArrowColumn
from mpf.errors import BadInput

_NO_CODE = 0xFFFFFFFF


class Numbers:
    """A numpy array of bools, integers or floats, of any stride."""

    def __init__(self, array):
        if array.dtype.kind == "f" and array.dtype.itemsize not in (4, 8):
            array = array.astype(np.float64 if array.dtype.itemsize > 8 else np.float32)
        elif not array.dtype.isnative:
            array = array.astype(array.dtype.newbyteorder("="))
        if not array.flags.aligned or array.strides[0] % array.itemsize:  # a field of a packed record
            array = array.copy()
        self.array = array

    def __len__(self):
        return len(self.array)

    def cell(self, row):
        return self.array[row].item()

    def fill(self, variable, block, column, first, at, count):
        return variable.reader.fill_numbers(block, column, self.array, first, at, count)


class Categories:
    """Indices into a list of values, of a pandas categorical for example; a negative index is not observed."""

    def __init__(self, indices, values):
        self.indices = indices
        self.values = list(values)
        self.tables = {}

    def __len__(self):
        return len(self.indices)

    def cell(self, row):
        return self.values[self.indices[row]]

    def fill(self, variable, block, column, first, at, count):
        if variable.name not in self.tables:
            self.tables[variable.name] = [_code_or_none(variable, value) for value in self.values]
        return variable.reader.fill_mapped(block, column, self.indices, first, at, count, self.tables[variable.name])


class Objects:
    """A list or an array of Python objects: texts, numbers, None."""

    def __init__(self, cells):
        self.cells = cells

    def __len__(self):
        return len(self.cells)

    def cell(self, row):
        return self.cells[row]

    def fill(self, variable, block, column, first, at, count):
        cells = list(self.cells[first:first + count])
        done = 0
        while done < count:
            found = variable.reader.fill_objects(block, column, cells, done, at, variable.codes)
            if found < 0:
                break
            code = _code_or_none(variable, cells[found])  # the dict has learnt it, if it has room
            if code == _NO_CODE:
                return at + found
            block.set_code(column, at + found, code)
            done = found + 1
        return -1


def _code_or_none(variable, value):
    try:
        return variable.code(value)
    except BadInput:
        return _NO_CODE


def column_of(values):
    """Returns the column for an array, a list, or a pandas Series."""
    if hasattr(values, "codes") and hasattr(values, "categories"):  # a Categorical of pandas, or an index of one
        return Categories(np.asarray(values.codes), values.categories)
    if hasattr(values, "dtype") and hasattr(values, "to_numpy"):
        return _of_series(values)
    if hasattr(values, "__arrow_c_stream__") or hasattr(values, "__arrow_c_array__"):
        return ArrowColumn(values)
    if isinstance(values, np.ma.MaskedArray):
        cells = np.array(values.data, dtype=object)
        cells[np.ma.getmaskarray(values)] = None
        return Objects(cells)
    if not isinstance(values, np.ndarray) and hasattr(values, "__dlpack__"):
        values = host_array(values)
    if not isinstance(values, np.ndarray):
        return Objects(list(values))
    if values.ndim != 1:
        raise BadInput(f"a column has {values.ndim} dimensions, shape {values.shape}: it must have one")
    if values.dtype.kind in "biuf":
        return Numbers(values)
    if values.dtype.kind == "U":
        labels, indices = np.unique(values, return_inverse=True)
        return Categories(indices.astype(np.int64, copy=False), [str(label) for label in labels])
    if values.dtype.kind in "OT":
        return Objects(values.astype(object, copy=False))
    raise TypeError(f"a column of numpy type {values.dtype}: give bools, integers, floats, texts or objects")


def host_array(values):
    """The numpy array for an array of another package in the host's memory, without a copy."""
    try:
        return np.from_dlpack(values)
    except (BufferError, RuntimeError, ValueError) as error:
        raise BadInput(f"an array of type {type(values).__name__} cannot be read: {error}") from error


def _of_series(series):
    """A pandas or polars Series; pandas need not be importable."""
    if type(series).__module__.startswith("pandas"):
        if hasattr(series, "cat"):
            return Categories(np.asarray(series.cat.codes), series.cat.categories)
        if isinstance(series.dtype, np.dtype):
            return column_of(series.to_numpy())
        if series.dtype.kind in "biuf":  # a nullable type
            numbers = series.to_numpy(dtype=np.float64, na_value=np.nan)
            if series.dtype.kind == "u":  # the largest number means the same as in numpy's arrays
                numbers[numbers == float(2 ** (8 * series.dtype.itemsize) - 1)] = np.nan
            return Numbers(numbers)
        if type(series.dtype).__name__ not in ("StringDtype", "ArrowDtype"):
            raise TypeError(f"a column of pandas type {series.dtype}: give bools, numbers, texts, categories or objects")
    if hasattr(series, "__arrow_c_stream__"):
        try:
            return ArrowColumn(series)
        except ImportError:  # pandas without pyarrow
            pass
    return Objects(series.to_numpy(dtype=object))
