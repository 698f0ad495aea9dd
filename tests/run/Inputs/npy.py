"""Writes and reads NumPy arrays without NumPy, which the tests do not need.

usage: npy.py write FILE TYPE ROW...   a NumPy array of the rows, which are numbers with commas between
                                       them; TYPE as in the header, [...] for records
       npy.py read FILE                the rows of an array of doubles as CSV; NaN becomes empty
       npy.py shape FILE               the shape of an array of doubles"""

import ast
import math
import struct
import sys

CODES = {"b1": "?", "u1": "B", "u8": "Q", "i1": "b", "i2": "h", "i4": "i", "i8": "q", "f4": "f", "f8": "d"}


def codeOf(type):
    return (">" if type[0] == ">" else "<") + CODES[type[1:]]


def write(path, type, rows):
    cells = [row.split(",") for row in rows]
    records = type.startswith("[")
    descr = ast.literal_eval(type) if records else type
    types = [type] * len(cells[0])
    if records:
        types = [field[1] for field in descr for _ in range(math.prod(field[2] if len(field) > 2 else ()))]
    shape = (len(cells),) if records else (len(cells), len(types))
    header = repr({"descr": descr, "fortran_order": False, "shape": shape}) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode())
        for row in cells:
            for cell, one in zip(row, types):
                file.write(struct.pack(codeOf(one), float(cell or "nan") if "f" in one else int(cell)))


def load(data):
    """Returns the shape and the doubles of the bytes of a file."""
    length = struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10:10 + length].decode())
    assert header["descr"] == "<f8" and not header["fortran_order"], header
    shape = header["shape"]
    return shape, struct.unpack(f"<{math.prod(shape)}d", data[10 + length:])


def loadFile(path):
    with open(path, "rb") as file:
        return load(file.read())


def read(path):
    (rows, columns), values = loadFile(path)
    for row in range(rows):
        cells = values[row * columns:(row + 1) * columns]
        print(",".join("" if cell != cell else f"{cell:.10g}" for cell in cells))


def main():
    if sys.argv[1] == "write":
        write(sys.argv[2], sys.argv[3], sys.argv[4:])
    elif sys.argv[1] == "shape":
        print(loadFile(sys.argv[2])[0])
    else:
        read(sys.argv[2])


if __name__ == "__main__":
    main()
