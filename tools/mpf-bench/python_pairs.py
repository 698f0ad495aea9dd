#!/usr/bin/env python3
"""Times the posteriors of all neighbours of a chain, asked together, beside all marginals.

It prints seconds of the processor, the least of several rounds, and their ratio: for a new question, for one that comes
again, and for 1,000 rows.

usage: python_pairs.py [VARIABLES]
"""
import sys
import time

import numpy as np

import mpf

count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
random = np.random.default_rng(48)
pairs = [(f"x{place}", f"x{place + 1}") for place in range(count - 1)]
codes = np.where(random.random((1000, count)) < 0.8, -1, random.integers(0, 3, (1000, count)))


def chain():
    made = mpf.Network()
    for place in range(count):
        made.var(f"x{place}", 3)
        table = random.random((3, 3) if place else 3)
        made.prob(f"x{place}", table / table.sum(axis=-1, keepdims=True), given=[f"x{place - 1}"] if place else ())
    return made


def secondsOf(ask, network=None, rounds=5):
    def once():
        asked = network or chain()
        begin = time.process_time()
        ask(asked)
        return time.process_time() - begin
    return min(once() for _ in range(rounds))


def show(name, **how):
    joined = secondsOf(lambda m: m.posteriors(pairs, **how.get("options", {})), how.get("network"))
    single = secondsOf(lambda m: m.marginals(**how.get("options", {})), how.get("network"))
    print(f"{name}: {joined:.4f} {single:.4f} {joined / single:.2f}")


asked = chain()
asked.posteriors(pairs)
asked.marginals()
show("new")
show("again", network=asked, options={"given": {"x7": 1}})
show("1,000 rows", network=asked, options={"cases": codes})
