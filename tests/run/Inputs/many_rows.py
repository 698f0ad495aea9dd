"""Writes rows of two columns of 7 and 2 states, each of which may be missing, and checks answers to them.

usage: many_rows.py all FILE          every possible row, once
       many_rows.py make FILE COUNT   COUNT of them
       many_rows.py array FILE COUNT [BAD [VALUE]]   the same as a NumPy array of int8; row BAD is
           no case, because VALUE (default 2) is no state of the second column
       many_rows.py same ROWS ANSWERS MANYROWS MANYANSWERS
           checks that all answers exist, and that equal rows have equal answers
"""
import sys

STATES = ([str(state) for state in range(7)] + [""], ["0", "1", ""])
KINDS = [f"{x},{y}" for x in STATES[0] for y in STATES[1]]


def lines(path):
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()[1:]


def write(path, rows):
    with open(path, "w", encoding="utf-8") as file:
        file.write("x,y\n" + "".join(row + "\n" for row in rows))


def check(rows, answers, manyRows, manyAnswers):
    expected = dict(zip(rows, answers))
    assert len(set(answers)) == len(rows), "answers that do not tell rows apart"
    assert len(manyRows) == len(manyAnswers), f"{len(manyAnswers)} answers to {len(manyRows)} rows"
    for number, (row, answer) in enumerate(zip(manyRows, manyAnswers)):
        assert expected[row] == answer, f"row {number}, {row}: {answer} instead of {expected[row]}"


def array(path, count, bad=None, value=2):
    header = f"{{'descr': '|i1', 'fortran_order': False, 'shape': ({count}, 2)}}\n"
    kinds = [bytes(int(cell or -1) & 255 for cell in row.split(",")) for row in KINDS]
    rows = [kinds[(i * 2654435761 >> 9) % len(KINDS)] for i in range(count)]
    if bad is not None:
        rows[bad] = bytes((0, value))
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\1\0" + len(header).to_bytes(2, "little") + header.encode())
        file.write(b"".join(rows))


if sys.argv[1] == "all":
    write(sys.argv[2], KINDS)
elif sys.argv[1] == "make":
    write(sys.argv[2], (KINDS[(i * 2654435761 >> 9) % len(KINDS)] for i in range(int(sys.argv[3]))))
elif sys.argv[1] == "array":
    array(sys.argv[2], *[int(number) for number in sys.argv[3:]])
else:
    check(*[lines(path) for path in sys.argv[2:]])
