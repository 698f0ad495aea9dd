"""Checks that two tables in CSV have equal cells; numbers may differ by a relative 1e-12.

usage: same_numbers.py FILE FILE"""

import sys


def cells(path):
    with open(path, encoding="utf-8") as file:
        return [line.rstrip("\n").split(",") for line in file]


def same(one, other):
    try:
        a, b = float(one), float(other)
    except ValueError:
        return one == other
    return a == b or abs(a - b) <= 1e-12 * max(abs(a), abs(b), 1e-3)


first, second = cells(sys.argv[1]), cells(sys.argv[2])
assert [len(row) for row in first] == [len(row) for row in second], "other rows or columns"
for number, (a, b) in enumerate(zip(first, second), 1):
    for column, (one, other) in enumerate(zip(a, b), 1):
        assert same(one, other), f"row {number}, column {column}: {one} is not {other}"
