"""Rows and columns of Arrow data: polars, pyarrow, and texts of pandas.

Objects with `__arrow_c_stream__` are read through the Arrow C stream interface, without a copy and without pyarrow.
"""
import bisect
import itertools
import weakref

from mpf import _mpf
from mpf.piece import PIECE, Piece
from mpf.errors import BadInput, Usage

_READERS = weakref.WeakSet()


def _stream(source):
    return _mpf.ArrowStream(source.__arrow_c_stream__())


def _read_once(reader):
    """Raises Usage for a reader of batches that was read before: it would have no rows, without a word."""
    try:
        if reader in _READERS:
            raise Usage("these cases are a reader of Arrow batches that was read before: make a new one")
        _READERS.add(reader)
    except TypeError:  # it has no weak references
        pass


def _batches(stream):
    return iter(stream.next, None)


class ArrowColumn:
    """One column in chunks: a Series, or a chunked array. `fill` and `cell` as in mpf.columns."""

    def __init__(self, source):
        if hasattr(source, "__arrow_c_stream__"):
            stream = _stream(source)
            if stream.names() is not None:
                raise BadInput("a column of cases is an Arrow table")
            self.batches = list(_batches(stream))
        else:
            self.batches = [_mpf.ArrowBatch(*source.__arrow_c_array__())]
        self.starts = [0, *itertools.accumulate(batch.rows for batch in self.batches)]

    def __len__(self):
        return self.starts[-1]

    def _chunk(self, row):
        return bisect.bisect_right(self.starts, row) - 1

    def cell(self, row):
        chunk = self._chunk(row)
        return self.batches[chunk].cell(-1, row - self.starts[chunk])

    def fill(self, variable, block, column, first, at, count):
        while count > 0:
            chunk = self._chunk(first)
            here = min(count, self.starts[chunk + 1] - first)
            bad = self.batches[chunk].fill(-1, variable.reader, block, column, first - self.starts[chunk], at, here)
            if bad >= 0:
                return bad
            first, at, count = first + here, at + here, count - here
        return -1


class _Child:
    """A column of a batch."""

    __slots__ = ("batch", "child")

    def __init__(self, batch, child):
        self.batch, self.child = batch, child

    def cell(self, row):
        return self.batch.cell(self.child, row)

    def fill(self, variable, block, column, first, at, count):
        return self.batch.fill(self.child, variable.reader, block, column, first, at, count)


class ArrowRows:
    """The rows of a table or of a reader of batches. Only one batch of a reader is in memory."""

    index = None

    def __init__(self, source):
        self.count = len(source) if hasattr(source, "__len__") else None
        if self.count is None:
            _read_once(source)
        self.stream = _stream(source)
        self.names = self.stream.names()
        if self.names is None:
            raise BadInput("cases are an Arrow array without columns: give a table")
        twice = {name for name in self.names if self.names.count(name) > 1}
        if twice:
            raise BadInput(f"the table has two columns {sorted(twice)[0]!r}")

    def pieces(self):
        first = 0
        if self.count == 0:
            yield Piece(0, 0, {}, 0)
        for batch in _batches(self.stream):
            columns = {name: _Child(batch, child) for child, name in enumerate(self.names)}
            for begin in range(0, batch.rows, PIECE):
                count = min(PIECE, batch.rows - begin)
                yield Piece(first + begin, count, columns, begin)
            first += batch.rows
