"""Contraction paths: those that mpf plans, and those of other planners."""
import importlib.util
import itertools
import math
import unittest

import numpy as np

import mpf
from mpf import paths

HAS_OPT_EINSUM = importlib.util.find_spec("opt_einsum") is not None


def random_contraction(random):
    """Returns the letters of operands, the output, and arrays."""
    sizes = {letter: int(random.integers(1, 4)) for letter in "abcdefgh"[:random.integers(2, 9)]}
    letters = list(sizes)
    inputs = [str().join(random.permutation(letters)[:random.integers(0, min(4, len(letters)) + 1)])
              for _ in range(random.integers(1, 8))]
    used = [letter for letter in letters if any(letter in table for table in inputs)]
    output = "".join(random.permutation(used)[:random.integers(0, min(3, len(used)) + 1)]) if used else ""
    arrays = [random.random([sizes[letter] for letter in table]) for table in inputs]
    return inputs, output, sizes, arrays


def widest(path, inputs, output):
    """The most letters of a table in a path, and the tables that are left."""
    tables, most = [set(table) for table in inputs], 0
    for step in path:
        taken = set().union(*(tables.pop(place) for place in sorted(step, reverse=True)))
        tables.append({letter for letter in taken if letter in output or any(letter in other for other in tables)})
        most = max(most, len(tables[-1]))
    return most, len(tables)


def grid(n):
    """The letters of an n x n lattice of tensors."""
    count, at = itertools.count(0x4E00), {}
    for i in range(n):
        for j in range(n):
            for other in ((i + 1, j), (i, j + 1)):
                if max(other) < n:
                    letter = chr(next(count))
                    at.setdefault((i, j), []).append(letter)
                    at.setdefault(other, []).append(letter)
    return ["".join(table) for table in at.values()]


class Paths(unittest.TestCase):
    def setUp(self):
        self.random = np.random.default_rng(22)
        self.optimizer = mpf.PathOptimizer()

    def test_paths_are_right(self):
        for _ in range(60):
            inputs, output, sizes, arrays = random_contraction(self.random)
            path = self.optimizer([frozenset(table) for table in inputs], frozenset(output), sizes)
            self.assertEqual(widest(path, inputs, output)[1], 1)
            self.assertTrue(all(len(step) <= 2 for step in path))
            expression = ",".join(inputs) + "->" + output
            expected = np.einsum(expression, *arrays)
            np.testing.assert_allclose(np.einsum(expression, *arrays, optimize=["einsum_path", *path]), expected, rtol=1e-10)
            np.testing.assert_allclose(mpf.einsum(expression, *arrays, optimize=path), expected, rtol=1e-10)
            np.testing.assert_allclose(mpf.einsum(expression, *arrays, optimize=self.optimizer), expected, rtol=1e-10)

    def test_a_lattice_is_as_narrow_as_its_treewidth(self):
        inputs = grid(6)
        sizes = dict.fromkeys("".join(inputs), 2)
        path = self.optimizer(inputs, "", sizes)
        self.assertLessEqual(widest(path, inputs, "")[0], 8)
        self.assertEqual(path, self.optimizer(inputs, "", sizes))

    def test_orders_of_paths(self):
        self.assertEqual(paths.order_of([(0, 1), (0, 1)], ["ab", "bc", "cd"], "d"), ["a", "b", "c"])
        self.assertEqual(paths.order_of([(1, 2), (0, 1)], ["ab", "bc", "cd"], "a"), ["c", "d", "b"])
        self.assertEqual(paths.order_of([(0, 1, 2)], ["ab", "bc", "ca"], ""), ["a", "b", "c"])
        self.assertEqual(paths.order_of([], ["ab"], "b"), ["a"])

    def test_the_order_is_taken(self):
        inputs = ["".join(pair) for pair in zip("abcdefghij", "bcdefghijk")]
        arrays = [self.random.random((3, 3)) for _ in inputs]
        expected = math.log(np.linalg.multi_dot([np.ones((1, 3)), *arrays, np.ones((3, 1))]).item())
        for letters in ("abcdefghijk", "kjihgfedcba", "fbadcekjgih"):
            path = paths_by_order(inputs, letters)
            self.assertAlmostEqual(math.log(mpf.einsum(",".join(inputs) + "->", *arrays, optimize=path)), expected, places=12)

    def test_wrong_paths(self):
        a = np.ones((2, 2))
        for path in ([(0, 2)], [(0, 0)], [(-1, 0)], [()], [(0.5, 1)], [0], 5, [("a",)]):
            with self.assertRaises(mpf.Usage, msg=str(path)):
                mpf.einsum("ij,jk->ik", a, a, optimize=path)
        np.testing.assert_array_equal(mpf.einsum("ij,jk->ik", a, a, optimize=[]), a @ a)

    def test_timeout(self):
        inputs = grid(24)
        with self.assertRaises(mpf.TimeLimit):
            mpf.PathOptimizer(timeout=0)(inputs, "", dict.fromkeys("".join(inputs), 2))

    @unittest.skipUnless(HAS_OPT_EINSUM, "opt_einsum is not installed")
    def test_opt_einsum_takes_it(self):
        import opt_einsum

        for _ in range(20):
            inputs, output, sizes, arrays = random_contraction(self.random)
            expression = ",".join(inputs) + "->" + output
            found = opt_einsum.contract(expression, *arrays, optimize=mpf.PathOptimizer())
            np.testing.assert_allclose(found, np.einsum(expression, *arrays), rtol=1e-10)
            path, _ = opt_einsum.contract_path(expression, *arrays)
            np.testing.assert_allclose(mpf.einsum(expression, *arrays, optimize=path), found, rtol=1e-10)
        inputs = grid(5)
        arrays = [self.random.random([2] * len(table)) for table in inputs]
        expression = ",".join(inputs) + "->"
        _, ours = opt_einsum.contract_path(expression, *arrays, optimize=mpf.PathOptimizer())
        _, greedy = opt_einsum.contract_path(expression, *arrays, optimize="greedy")
        self.assertLessEqual(ours.opt_cost, 1.5 * float(greedy.opt_cost))


def paths_by_order(inputs, letters):
    """A path that sums over letters in this order."""
    tables, path = [set(table) for table in inputs], []
    for letter in letters:
        step = tuple(place for place, table in enumerate(tables) if letter in table)
        if not step:
            continue
        joined = set().union(*(tables.pop(place) for place in reversed(step))) - {letter}
        tables.append(joined)
        path.append(step)
    if len(tables) > 1:
        path.append(tuple(range(len(tables))))
    return path


if __name__ == "__main__":
    unittest.main()
