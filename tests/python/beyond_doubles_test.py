"""Answers that doubles do not hold: a warning, and their logarithms."""
import math
import pickle
import unittest
import warnings

import numpy as np

import mpf


def scaled(*exponents, states=2):
    """A product over all of its variables of tables [1, 2] * 10^exponent; its sum is 10^total * 3^count."""
    m = mpf.Network()
    for place, exponent in enumerate(exponents):
        m.var(f"x{place}", states)
        m.factor(f"x{place}", [1 * 10.0 ** exponent, 2 * 10.0 ** exponent], name=f"f{place}")
    return m


def total(count, free=""):
    return f"z{free} = sum() " + " * ".join(f"f{place}" for place in range(count))


class BeyondDoubles(unittest.TestCase):
    RANGES = [((300, 200), math.inf), ((-300, -200), 0.0), ((-300, -15), 9e-315)]  # and the value that stands for it

    def test_one_number(self):
        for exponents, nearest in self.RANGES:
            m = scaled(*exponents)
            ln = sum(exponents) * math.log(10) + math.log(9)
            with self.subTest(exponents), self.assertWarnsRegex(mpf.Warning, r"^z: exp\(-?\d+\.\d+\) lies beyond") as caught:
                self.assertEqual(m.query(total(2)), nearest)
            self.assertEqual(caught.filename, __file__)
            with _Quiet():
                self.assertAlmostEqual(m.query(total(2), log=True), ln, places=9)
                self.assertAlmostEqual(m.compile(total(2)).ask(log=True), ln, places=9)
                self.assertAlmostEqual(m.log_evidence(), ln, places=9)

    def test_tables(self):
        for exponents, nearest in self.RANGES[:2]:
            m = scaled(*exponents)
            with self.assertWarnsRegex(mpf.Warning, "beyond doubles"):
                table = m.query(total(2, "(x0)"))
            logs = sum(exponents) * math.log(10) + np.log([3, 6])
            np.testing.assert_array_equal(table, [nearest, nearest])
            np.testing.assert_allclose(table.log(), logs)
            with _Quiet():
                np.testing.assert_allclose(m.query(total(2, "(x0)"), log=True), logs)
                np.testing.assert_allclose(m.query(total(2, "(x0)"), log=True).log(), logs)
            np.testing.assert_allclose(pickle.loads(pickle.dumps(table)).log(), logs)

    def test_small_beside_large_is_no_loss(self):
        m = mpf.Network()
        m.var("x", 2)
        m.factor("x", [1, 1e-200], name="f0")
        m.factor("x", [1, 1e-200], name="f1")
        with _Quiet():
            np.testing.assert_array_equal(m.query(total(2, "(x)")), [1, 0])
            self.assertAlmostEqual(m.query(total(2, "(x)"), log=True)[1], -400 * math.log(10))
            np.testing.assert_array_equal(m.posterior("x"), [1, 0])
            self.assertEqual(m.query("none = sum() f0", {"x": 0}, log=True), 0)
            for logs in (m.posterior("x").log(), m.posterior("x", log=True), m.marginals()["x"].log(),
                         m.marginals(log=True)["x"], m.posteriors(["x", ("x",)], log=True)["x"],
                         m.posterior("x", cases={"x": [None]}, log=True).values[0],
                         m.marginals(cases={"x": [None]}, log=True)["x"].values[0]):
                np.testing.assert_allclose(logs, [0, -400 * math.log(10)])

    def test_zero_and_infinity_are_answers(self):
        m = mpf.Network()
        m.var("x", 2)
        m.factor("x", [0, 0], name="f")
        m.factor("x", [-math.inf, -math.inf], name="g")
        with _Quiet():
            self.assertEqual(m.query("z = sum() f"), 0)
            self.assertEqual(m.query("z = sum() f", log=True), -math.inf)
            self.assertEqual(m.query("z = max() g"), -math.inf)
            self.assertEqual(mpf.einsum("i,j->", np.array([-math.inf]), np.array([1.0]), semiring="max-sum"), -math.inf)

    def test_rows(self):
        m = scaled(300, 200)
        m.var("side", ["near", "far"])
        m.factor("side", [1e-300, 1], name="f2")
        cases = {"side": ["near", "far", "far"]}
        logs = np.log(9) + math.log(10) * np.array([200, 500, 500])
        with self.assertWarnsRegex(mpf.Warning, "z, row 1: exp") as caught:
            found = m.query(total(3), cases=cases)
        self.assertEqual(len(caught.warnings), 1)
        np.testing.assert_allclose(found, [9e200, math.inf, math.inf])
        with _Quiet():
            np.testing.assert_allclose(m.query(total(3), cases=cases, log=True), logs)
            np.testing.assert_allclose(m.log_evidence(cases=cases), logs)
            np.testing.assert_allclose(m.query(total(3), cases={"side": ["near", "?"]}, errors="skip"), [9e200, math.nan])
            np.testing.assert_allclose(m.query(total(3, "(x0)"), cases={"side": ["near"]}).values, [[3e200, 6e200]])
        with self.assertWarnsRegex(mpf.Warning, f"row {1 << 16}:"):
            m.query(total(3), cases={"side": np.repeat([0, 1], 1 << 16)})

    def test_best(self):
        for exponents, nearest in self.RANGES[:2]:
            m = scaled(*exponents)
            with _Quiet():
                best = m.best()
                self.assertAlmostEqual(best.log_value, sum(exponents) * math.log(10) + math.log(4), places=9)
            with self.assertWarns(mpf.Warning):
                self.assertEqual(best.value, nearest)
        costs = mpf.Network()
        costs.var("x", 2)
        costs.factor("x", [-3, 2], name="f")
        with _Quiet():
            best = costs.query("c = argmin() f")
            self.assertEqual((dict(best), best.value), ({"x": "0"}, -3))
            self.assertTrue(math.isnan(best.log_value))
            self.assertEqual(scaled(0).best().value, 2)

    def test_einsum(self):
        for exponents, nearest in self.RANGES:
            arrays = [np.array([1, 2]) * 10.0 ** exponent for exponent in exponents]
            with self.assertWarns(mpf.Warning) as caught:
                self.assertEqual(mpf.einsum("i,j->", *arrays), nearest)
            self.assertEqual(caught.filename, __file__)
            with self.assertWarns(mpf.Warning):
                mpf.contract("i,j->ij", *arrays)
        with _Quiet():
            np.testing.assert_array_equal(mpf.einsum("i,i->i", [1, 1e-200], [1, 1e-200]), [1, 0])

    def test_whole_numbers(self):
        m = scaled(0, 0)
        with _Quiet():
            self.assertAlmostEqual(m.query(total(2), type="u64", log=True), math.log(9))


class _Quiet(warnings.catch_warnings):
    """Any warning fails."""

    def __enter__(self):
        super().__enter__()
        warnings.simplefilter("error")


if __name__ == "__main__":
    unittest.main()
