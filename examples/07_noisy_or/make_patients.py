"""Draws patients from the network of diagnosis.mpf and prints their findings as rows of cases.

usage: make_patients.py [ROWS] > patients.csv      (default 1000; the same rows on every machine)

A quarter of the findings is known, of no patient the diseases.
"""
import random
import sys

LEAK = 0.02
KNOWN = 0.25


def findings():
    """(name, [(disease, probability that it fails to cause the finding)])."""
    for i in range(16):
        yield f"symptom[{i}]", [(i, 0.1), (i + 1, 0.9 - 0.05 * i), (i + 2, 0.3), (i + 4, 0.6)]
    for i in range(12):
        yield f"sign[{i}]", [(i, 0.2 + 0.05 * i), (i + 3, 0.5), (i + 8, 0.15)]
    for i in range(12):
        yield f"lab[{i}]", [(i, 0.4), (i + 5, 0.05 + 0.06 * i), (i + 7, 0.7)]


def patient(chance, network):
    diseases = [chance.random() < 0.02 + 0.004 * i for i in range(20)]
    for _, causes in network:
        absent = 1 - LEAK
        for disease, failing in causes:
            if diseases[disease]:
                absent *= failing
        state = "no" if chance.random() < absent else "yes"
        yield state if chance.random() < KNOWN else ""


def main(rows):
    chance, network = random.Random(1), list(findings())
    print(",".join(name for name, _ in network))
    for _ in range(rows):
        print(",".join(patient(chance, network)))


main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
