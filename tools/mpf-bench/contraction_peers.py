"""Times of tensor contractions from Python: mpf.einsum beside opt_einsum over numpy, in one process.

The contractions are random equations of opt_einsum, and lattices, trees and random equations of cotengra, by fixed
seeds. The answers are compared first. Prints a table in Markdown with milliseconds by the clock: the first call, which
plans, and the least of many later calls, for which opt_einsum keeps its expression. The machine must have nothing else
to do.

usage: contraction_peers.py    (needs the packages mpf, opt_einsum and cotengra)
"""
import math
import time
import warnings

import cotengra.utils
import mpf
import numpy as np
import opt_einsum
from opt_einsum.testing import rand_equation

LEAST_SECONDS = 0.2
FURTHEST = 1e-9


def equations():
    """Yields a name, an expression, and shapes."""
    for seed in range(14):
        expression, shapes = rand_equation(6 + 2 * seed, 3, n_out=seed % 3, d_min=2, d_max=5, seed=seed)
        yield f"opt_einsum {6 + 2 * seed} operands", expression, shapes
    for kind, count, make in (
            ("lattice", 12, lambda n: cotengra.utils.lattice_equation([3 + n // 2, 3 + n // 3], d_min=2, d_max=3, seed=n)),
            ("tree", 12, lambda n: cotengra.utils.tree_equation(10 + 10 * n, d_min=2, d_max=6, n_outer=n % 3, seed=n)),
            ("random", 12, lambda n: cotengra.utils.rand_equation(8 + 3 * n, 3, d_min=2, d_max=4, n_out=n % 2, seed=n))):
        for n in range(count):
            inputs, output, shapes, _ = make(n)
            yield (f"{kind} {len(inputs)} operands", ",".join("".join(table) for table in inputs) + "->" + "".join(output),
                   shapes)


def timed(call):
    begin = time.perf_counter()
    answer = call()
    return time.perf_counter() - begin, answer


def least(call):
    """The least time of a call, of at least three and for at least LEAST_SECONDS."""
    times, begin = [], time.perf_counter()
    while len(times) < 3 or time.perf_counter() - begin < LEAST_SECONDS:
        times.append(timed(call)[0])
    return min(times)


def main():
    warnings.simplefilter("ignore")
    cold, warm = [], []
    print("| contraction | furthest answer | first call: mpf | opt_einsum | later calls: mpf | opt_einsum |")
    print("| --- | --- | --- | --- | --- | --- |")
    for number, (name, expression, shapes) in enumerate(equations()):
        random = np.random.default_rng(number)
        arrays = [random.random(shape) for shape in shapes]
        our_first, ours = timed(lambda: mpf.einsum(expression, *arrays))
        made, kept = timed(lambda: opt_einsum.contract_expression(expression, *shapes))
        their_first, theirs = timed(lambda: kept(*arrays))
        their_first += made
        furthest = float(np.max(np.abs(ours - theirs) / np.abs(theirs)))
        if not furthest < FURTHEST:
            raise SystemExit(f"{name}: answers differ by {furthest}")
        our_later, their_later = least(lambda: mpf.einsum(expression, *arrays)), least(lambda: kept(*arrays))
        print(f"| {name} | {furthest:.0e} | {1e3 * our_first:.2f} | {1e3 * their_first:.2f} | {1e3 * our_later:.3f} | "
              f"{1e3 * their_later:.3f} |", flush=True)
        cold.append(their_first / our_first)
        warm.append(their_later / our_later)
    for name, ratios in (("first calls", cold), ("later calls", warm)):
        print(f"{name} of {len(ratios)}: opt_einsum over mpf {math.exp(np.mean(np.log(ratios))):.1f} (geometric mean), "
              f"least {min(ratios):.2f}")


main()
