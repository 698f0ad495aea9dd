"""Contraction paths, the plans of opt_einsum, cotengra and numpy, to and from orders of elimination.

Each step of a path names the positions of tables that are multiplied. It takes them out of the list and appends the
product, summed over the letters that neither another table nor the output has.
"""
from __future__ import annotations

import bisect
import math
from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from mpf import _mpf
from mpf.errors import Usage
from mpf.options import seconds_of

Path = list[tuple[int, ...]]


class PathOptimizer:
    """Plans contractions for other libraries: `opt_einsum.contract(..., optimize=mpf.PathOptimizer())`.

    cotengra takes it too. The path multiplies two tables at a time, in the order in which mpf eliminates letters. It
    has no slices: `memory_limit` is not used. Where memory is scarce call `mpf.einsum`, which slices.

    Args:
        - timeout: the seconds after which planning ends with TimeLimit.

    >>> sorted(mpf.PathOptimizer()([{"i", "j"}, {"j", "k"}, {"k"}], {"i"}, {"i": 2, "j": 3, "k": 4})[0])
    [1, 2]
    """

    def __new__(cls, timeout: float | None = None) -> PathOptimizer:
        try:
            from opt_einsum.paths import PathOptimizer as Base
        except ImportError:
            return object.__new__(cls)
        return object.__new__(cls if issubclass(cls, Base) else type(cls.__name__, (cls, Base), {}))

    def __init__(self, timeout: float | None = None) -> None:
        self.timeout = seconds_of(timeout)

    def __call__(self, inputs: Sequence[Collection[Hashable]], output: Collection[Hashable],
                 size_dict: Mapping[Hashable, int], memory_limit: Any = None) -> Path:
        letters = [list(dict.fromkeys(table)) for table in inputs]
        if len(letters) <= 2:
            return [tuple(range(len(letters)))]
        sizes = {letter: max(int(size_dict[letter]), 1) for table in letters for letter in table}
        network, query = network_of(letters, list(output), sizes, ("sum", "*"), False)
        factors, products = _mpf.plan_products(network, query, self.timeout)
        numbers = {f"f{number}": number for number in range(len(letters))}
        operands = [numbers.get(name) for name in factors]  # None: a table of ones that the planner adds
        return _Pairs(letters, output, sizes).path(operands, products)


class _Pairs:
    """Joins tables two at a time."""

    def __init__(self, tables, output, sizes):
        self.tables = dict(enumerate(map(frozenset, tables)))  # id -> letters; ids ascend
        self.live = list(self.tables)
        self.holders = Counter(letter for table in tables for letter in table)
        self.holders.update(output)
        self.sizes = sizes
        self.steps = []

    def path(self, operands, products):
        """The path of these products. Tables below len(operands) are operands, others the results of products."""
        ids = list(operands)
        for read in products:
            known = [ids[table] for table in read if ids[table] is not None]
            ids.append(self.join_all(known) if known else None)
        self.join_all(self.live)
        return self.steps

    def join_all(self, group):
        group = list(group)
        while len(group) > 1:
            pairs = [(i, j) for j in range(len(group)) for i in range(j)] if len(group) <= 8 else [(0, 1)]
            i, j = min(pairs, key=lambda pair: self.size_of(group[pair[0]], group[pair[1]]))
            joined = self.join(group[i], group[j])
            del group[j], group[i]
            group.append(joined)
        return group[0]

    def result_of(self, a, b):
        mine = Counter([*self.tables[a], *self.tables[b]])
        return frozenset(letter for letter, count in mine.items() if self.holders[letter] > count)

    def size_of(self, a, b):
        return sum(math.log(self.sizes[letter]) for letter in self.result_of(a, b))

    def join(self, a, b):
        result = self.result_of(a, b)
        positions = sorted(bisect.bisect_left(self.live, table) for table in (a, b))
        self.steps.append(tuple(positions))
        for position in reversed(positions):
            self.holders.subtract(self.tables[self.live.pop(position)])
        self.holders.update(result)
        joined = len(self.tables)
        self.tables[joined] = result
        self.live.append(joined)
        return joined


def path_from(optimize: Any, inputs: Sequence[Sequence[Hashable]], output: Sequence[Hashable],
              sizes: Mapping[Hashable, int]) -> Path:
    """The path that a value of `optimize=` means: a path, or a callable that plans one."""
    if callable(optimize):
        optimize = optimize([frozenset(table) for table in inputs], frozenset(output), dict(sizes), None)
    steps = list(optimize)
    if steps and steps[0] == "einsum_path":  # numpy.einsum_path
        steps = steps[1:]
    return [tuple(step) for step in steps]


def order_of(path: Path, inputs: Sequence[Sequence[Hashable]], output: Sequence[Hashable]) -> list[Hashable]:
    """The letters that the output lacks, in the order in which the path sums over them."""
    tables = [list(dict.fromkeys(table)) for table in inputs]
    order = []

    def finish(parts):
        known = {letter for table in tables for letter in table}
        letters = list(dict.fromkeys(letter for part in parts for letter in part))
        kept = [letter for letter in letters if letter in known or letter in output]
        order.extend(letter for letter in letters if letter not in kept)
        tables.append(kept)

    for number, step in enumerate(path):
        whole = all(isinstance(place, (int, np.integer)) and 0 <= place < len(tables) for place in step)
        if not step or not whole or len(set(step)) < len(step):
            raise Usage(f"optimize= step {number} of the path is {step}: distinct positions below {len(tables)}")
        finish([tables.pop(place) for place in sorted(step, reverse=True)][::-1])
    rest, tables[:] = list(tables), []
    finish(rest)
    return order


def network_of(tables: Sequence[Sequence[Hashable]], output: Sequence[Hashable], sizes: Mapping[Hashable, int],
               algebra: tuple[str, str], negative: bool) -> tuple[Any, str]:
    """A network with an input f0, f1, ... for each table, and the query that reduces it to the output.

    Args:
        - algebra: the reduction and how values combine: ("sum", "*").
        - negative: entries may be below 0.
    """
    names = {letter: f"v{number}" for number, letter in enumerate(sizes)}
    network = _mpf.Network("einsum")
    for letter, size in sizes.items():
        network.add_numbered(names[letter], size)
    terms = [f"f{number}" for number in range(len(tables))]
    for name, letters in zip(terms, tables):
        network.add_input(name, [names[letter] for letter in letters], negative, np.empty(0))
    reduction, combine = algebra
    if combine == "+" and len(terms) == 1:  # one factor alone would be taken as a product
        network.add_factor("zero", [], np.zeros(1))
        terms.append("zero")
    summed = [names[letter] for letter in sizes if letter not in output]
    free = ", ".join(names[letter] for letter in output)
    return network, f"result({free}) = {reduction}({', '.join(summed)}) {f' {combine} '.join(terms)}"


def set_order(network: Any, order: Sequence[Hashable], sizes: Mapping[Hashable, int]) -> None:
    """Lets a network of `network_of` eliminate letters in this order."""
    numbers = {letter: number for number, letter in enumerate(sizes)}
    network.set_order([f"v{numbers[letter]}" for letter in order])
