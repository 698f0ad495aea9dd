"""Compares the answers of one run with those of each query alone, and with the definition.

Usage: compare.py MPFC MODEL TOGETHER.json"""
import itertools
import json
import subprocess
import sys
from fractions import Fraction

mpfc, model, together = sys.argv[1:]


def table(first: int, then: int, time: int) -> Fraction:
    rows = [[4, 0], [1, 3]] if time == 1 else [[3, 1], [2, 2]]
    return Fraction(rows[first][then], 4)


def weight(states: tuple[int, ...]) -> Fraction:
    product = Fraction(1, 2)
    for time in range(1, 6):
        product *= table(states[time - 1], states[time], time)
    return product


def posterior(names: list[str], given: dict[str, int]) -> list[Fraction]:
    numbers = [int(name[2:-1]) for name in names]
    sums: dict[tuple[int, ...], Fraction] = {}
    for states in itertools.product(range(2), repeat=6):
        if all(states[int(name[2:-1])] == state for name, state in given.items()):
            key = tuple(states[i] for i in numbers)
            sums[key] = sums.get(key, Fraction(0)) + weight(states)
    total = sum(sums.values())
    return [sums[key] / total for key in itertools.product(range(2), repeat=len(names))]


count = 0
for answer in json.load(open(together)):
    name = answer["query"]
    alone = json.loads(subprocess.run([mpfc, "run", model, "--query", name, "--json", "-"], check=True,
                                      capture_output=True, text=True).stdout)[0]
    for key in ("query", "kind", "zero_probability"):
        assert answer[key] == alone[key], (name, key)
    assert answer.get("assignment") == alone.get("assignment")
    for mine, other in zip(answer["tables"], alone["tables"], strict=True):
        for key in ("name", "variables", "extents", "labels", "normalised"):
            assert mine[key] == other[key], (name, key)
        for found, wanted in zip(mine.get("values", []), other.get("values", []), strict=True):
            assert abs(found - wanted) <= 1e-12, name
    if answer["kind"] == "joint":
        given = {"x[5]": 1} if "|" in name else {}
        wanted = posterior(answer["tables"][0]["variables"], given)
        for found, exact in zip(answer["tables"][0]["values"], wanted, strict=True):
            assert abs(found - float(exact)) <= 1e-12, name
    count += 1
print(f"{count} queries agree")
