"""Answers again, on the host, the rows on a GPU that left the range of linear arithmetic there."""
import numpy as np

from mpf import _mpf
from mpf.piece import PIECE

_LETTERS = "iuf"  # by the kind of numbers in DeviceCells


def answer_lost(ask, count, columns, made):
    """Replaces the answers of rows that have NaN. The device must have answered all rows.

    The rows of a piece come to the host if one of them has NaN. A row keeps NaN if the host has no other answer: a
    wrong number, or a posterior of evidence with probability 0.

    Args:
        - ask: a function from rows of the host to arrays of answers in the order of `made`.
        - count: the rows.
        - columns: name -> (address, stride, kind, bytes of a number).
        - made: (address, type, shape of a row) of each array of answers. The doubles among them say which rows are lost.
    """
    for first in range(0, count, PIECE):
        rows = min(PIECE, count - first)
        answers = [_downloaded(address + first * _row_bytes(dtype, shape), dtype, (rows, *shape))
                   for address, dtype, shape in made]
        lost = np.zeros(rows, dtype=bool)
        for array in answers:
            if array.dtype.kind == "f":
                lost |= np.isnan(array.reshape(rows, -1)).any(axis=1)
        if not lost.any():
            continue
        cells = {name: values[lost] for name, values in _columns(columns, first, rows).items()}
        found = ask(cells or [{}] * int(lost.sum()))
        for array, values, (address, dtype, shape) in zip(answers, found, made):
            array[lost] = values
            _mpf.upload(_bytes_of(array), address + first * _row_bytes(dtype, shape))


def _row_bytes(dtype, shape):
    return int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize


def _downloaded(address, dtype, shape):
    array = np.empty(shape, dtype=dtype)
    _mpf.download(address, _bytes_of(array))
    return array


def _bytes_of(array):
    return array.reshape(-1).view(np.uint8)


def _columns(columns, first, rows):
    """Rows of columns on the device, as arrays of the host. Columns that lie among each other are copied at once."""
    spans = []
    for name, (address, stride, kind, item) in columns.items():
        begin, last = address + first * stride, address + (first + rows - 1) * stride
        spans.append((min(begin, last), max(begin, last) + item, name))
    spans.sort()
    found, at = {}, 0
    while at < len(spans):
        begin, end = spans[at][:2]
        behind = at + 1
        while behind < len(spans) and spans[behind][0] < end:
            end = max(end, spans[behind][1])
            behind += 1
        memory = np.empty(end - begin, dtype=np.uint8)
        _mpf.download(begin, memory)
        for _, _, name in spans[at:behind]:
            address, stride, kind, item = columns[name]
            found[name] = np.ndarray(rows, f"{_LETTERS[kind]}{item}", memory, address + first * stride - begin, (stride,))
        at = behind
    return found
