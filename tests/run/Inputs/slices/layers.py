"""Writes two layers of N binary variables in UAI format, and checks log10 of their partition function.

Each pair across the layers has the factor [[1, 2], [3, 1]]. If k variables of the first layer have state
1, each of the second has the sum 3^k + 2^(N-k): Z = sum over k of C(N, k) (3^k + 2^(N-k))^N.

usage: layers.py write N > MODEL.uai
       layers.py check N < ANSWER        (the line "evidence: ... (log10 L, ...)" of mpfc run)
"""
import math
import re
import sys

VALUES = ((1, 2), (3, 1))  # by the state of the first layer, then of the second


def write(n):
    print(f"MARKOV\n{2 * n}\n{' '.join(['2'] * (2 * n))}\n{n * n}")
    for a in range(n):
        for b in range(n):
            print(2, a, n + b)
    for _ in range(n * n):
        print(4, *VALUES[0], *VALUES[1])


def exact(n):
    """The partition function, a whole number."""
    def perSecond(k):
        return sum(VALUES[0][s] ** (n - k) * VALUES[1][s] ** k for s in (0, 1))
    return sum(math.comb(n, k) * perSecond(k) ** n for k in range(n + 1))


def check(n):
    text = sys.stdin.read()
    found = float(re.search(r"log10 ([-0-9.e+]+)", text)[1])
    z = exact(n)
    shift = max(0, z.bit_length() - 1000)
    expected = math.log10(z >> shift) + shift * math.log10(2)
    if abs(found - expected) > 1e-9 * abs(expected):
        sys.exit(f"log10 is {found}, expected {expected}")
    print("as expected")


{"write": write, "check": check}[sys.argv[1]](int(sys.argv[2]))
