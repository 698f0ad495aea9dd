"""Writes a chain of 40 variables and two lists of 100 cases; in one list a case observes every rare state.
Then compares the answers to both lists: prints the rows that differ.

usage: improbable_case.py write|compare FOLDER"""
import random
import sys

VARIABLES, ROWS, RARE = 40, 100, 50


def write(folder):
    row = "[0.999999999999, 0.000000000001]"
    with open(f"{folder}/chain.mpf", "w") as model:
        model.write("domain s = { no, yes }\n")
        model.writelines(f"var x{i} : s\n" for i in range(VARIABLES))
        model.write(f"prob P(x0) = {row}\n")
        model.writelines(f"prob P(x{i} | x{i - 1}) = [{row}, {row}]\n" for i in range(1, VARIABLES))
        model.write("query marginals\nquery P(x20)\nquery best\nquery evidence\n")
    random.seed(1)
    cells = [[random.choice(["", "", "", "no"]) for _ in range(VARIABLES)] for _ in range(ROWS)]
    for name in ("without", "with"):
        if name == "with":
            cells[RARE] = ["yes"] * VARIABLES
        with open(f"{folder}/{name}.csv", "w") as rows:
            rows.write(",".join(f"x{i}" for i in range(VARIABLES)) + "\n")
            rows.writelines(",".join(row) + "\n" for row in cells)


def records(path):
    """Returns the rows of a .npy file of version 1, as bytes."""
    data = open(path, "rb").read()
    data = data[10 + int.from_bytes(data[8:10], "little"):]
    size = len(data) // ROWS
    return [data[i * size:(i + 1) * size] for i in range(ROWS)]


def compare(folder):
    pairs = zip(records(f"{folder}/without.npy"), records(f"{folder}/with.npy"))
    print("rows that differ:", *(i for i, (one, other) in enumerate(pairs) if one != other))


if __name__ == "__main__":
    {"write": write, "compare": compare}[sys.argv[1]](sys.argv[2])
