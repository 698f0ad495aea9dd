"""Answers to a list of cases: whole rows of numbers and labels, in a text or in an array."""
import ast
import struct

ROUNDING = 1e-12  # of what engines make of the same case: tools/mpfc/CASES.md
ROUNDED_LOGARITHM = 1e-14  # of a number near 1: ln 1 is 0, ln (1 - 2^-53) is not


def arrayOf(npy):
    """Returns (number of rows, their bytes) of an array in NumPy's format, version 1."""
    end = 10 + int.from_bytes(npy[8:10], "little")
    return ast.literal_eval(npy[10:end].decode())["shape"][0], npy[end:]


def areRows(path, contents, written):
    """Whether the contents answer the first cases of a list, like those of a run that ends early."""
    if path.endswith(".csv"):
        return contents.endswith(b"\n") and written.startswith(contents)
    if not path.endswith(".npy") or contents[:6] != written[:6]:
        return False
    (rows, entries), (all_, allEntries) = arrayOf(contents), arrayOf(written)
    return allEntries.startswith(entries) and len(entries) * all_ == len(allEntries) * rows


def areColumns(path, contents, written, areAll):
    """Whether the contents are whole columns of some answers: those of the queries that were not
    refused. They may have only the first rows if a run ended early."""
    if not path.endswith(".csv") or not contents.endswith(b"\n"):
        return False
    mine, all_ = ([line.split(b",") for line in text.splitlines()] for text in (contents, written))
    if not 0 < len(mine) <= len(all_) or areAll and len(mine) != len(all_) or not set(mine[0]) <= set(all_[0]):
        return False
    places = [all_[0].index(name) for name in mine[0]]
    return all(list(map(len, mine)) == [len(places)] * len(mine) and
               all(map(isClose, row, (other[place] for place in places))) for row, other in zip(mine, all_))


def areRounded(path, contents, written):
    """Whether the contents have all rows, with numbers that are equal up to rounding."""
    if contents is None or written is None:
        return False
    if path.endswith(".csv"):
        cells, others = ([line.split(b",") for line in text.split(b"\n")]
                         for text in (contents, written))
        return list(map(len, cells)) == list(map(len, others)) and \
            all(map(isClose, sum(cells, []), sum(others, [])))
    if not path.endswith(".npy") or len(contents) != len(written):
        return False
    (rows, entries), (all_, others) = arrayOf(contents), arrayOf(written)
    return rows == all_ and all(isClose(a, b) for (a,), (b,) in zip(
        struct.iter_unpack("<d", entries), struct.iter_unpack("<d", others)))


def isClose(cell, other):
    """Whether two cells are equal or numbers that differ by rounding. A word may precede them, as in
    totals: "sum of ln(best): -12.8"."""
    if cell == other:
        return True
    if isinstance(cell, bytes):
        (word, _, cell), (said, _, other) = cell.rpartition(b": "), other.rpartition(b": ")
        if word != said:
            return False
    try:
        x, y = float(cell), float(other)
    except ValueError:
        return False
    return x == y or x != x and y != y or \
        abs(x - y) <= max(ROUNDING * max(abs(x), abs(y)), ROUNDED_LOGARITHM)
