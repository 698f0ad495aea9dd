"""Answers of one case against the sum over all joint states."""
import math
import pickle
import tempfile
import threading
import unittest

import numpy as np
from networks import Brute

import mpf


class Answers(unittest.TestCase):
    def setUp(self):
        self.random = np.random.default_rng(20)

    def networks(self, count=8):
        for number in range(count):
            yield Brute(self.random, variables=int(self.random.integers(1, 7)), conditional=number % 3 != 0)

    def test_posteriors(self):
        for brute in self.networks():
            for _ in range(4):
                findings = brute.findings(self.random)
                for name in brute.names:
                    table = brute.network.posterior(name, given=findings)
                    np.testing.assert_allclose(table, brute.posterior([name], findings), atol=1e-12)
                    self.assertEqual(table.names, (name,))
                    self.assertEqual(table[f"{name}_1"], np.asarray(table)[1])
                several = [str(name) for name in self.random.permutation(brute.names)[:3]]
                table = brute.network.posterior(several, given=findings)
                np.testing.assert_allclose(table, brute.posterior(several, findings), atol=1e-12)
                self.assertEqual(table.names, tuple(several))

    def test_marginals_beyond_doubles(self):
        m = mpf.Network()
        m.var("x", 2)
        m.var("y", 2)
        m.factor("x", [1, 1e-300])
        m.factor(["x", "y"], np.ones((2, 2)), name="pair")
        for small in (0.5, 1e-300):  # P(y = 1) is a double, and is none
            m.set("pair", [[1, 0], [1, small]])
            found = m.marginals()
            np.testing.assert_allclose(found["x"], [1, 1e-300 * (1 + small)])
            np.testing.assert_allclose(found["y"], [1, 1e-300 * small])
            with self.assertRaises(ValueError):
                found["x"].values[0] = 0

    def test_marginals_and_log_evidence(self):
        for brute in self.networks():
            findings = brute.findings(self.random)
            found = brute.network.marginals(given=findings)
            self.assertEqual(list(found), brute.names)
            for name in brute.names:
                np.testing.assert_allclose(found[name], brute.posterior([name], findings), atol=1e-12)
            log = math.log(brute.given(findings).sum())
            self.assertAlmostEqual(found.log_evidence, log, places=10)
            self.assertAlmostEqual(brute.network.log_evidence(given=findings), log, places=10)

    def test_conditional_posteriors_have_rows(self):
        for brute in self.networks():
            if len(brute.names) < 3:
                continue
            x, y, z = (str(name) for name in self.random.permutation(brute.names)[:3])
            findings = {z: f"{z}_0"}
            if brute.given(findings).sum() == 0:
                continue
            joint = np.asarray(brute.posterior([y, x], findings))
            table = brute.network.query(f"P({x} | {y})", given=findings)
            self.assertEqual(table.names, (y, x))
            np.testing.assert_allclose(table, joint / joint.sum(axis=1, keepdims=True), atol=1e-12)
        network = mpf.Network()
        network.var("y", ["a", "b"])
        network.var("x", ["a", "b"])
        network.factor(["y", "x"], [[0, 0], [1, 3]])
        np.testing.assert_array_equal(network.query("P(x | y)"), [[np.nan, np.nan], [0.25, 0.75]])

    def test_best(self):
        for brute in self.networks():
            findings = brute.findings(self.random, soft=False)
            best = brute.network.best(given=findings)
            joint = brute.given(findings)
            state = tuple(int(best[name].split("_")[1]) for name in brute.names)
            self.assertAlmostEqual(joint[state], joint.max(), places=14)
            self.assertAlmostEqual(best.log_value, math.log(joint.max()), places=10)

    def test_new_values_are_bound(self):
        for brute in self.networks(3):
            name = brute.names[-1]
            findings = brute.findings(self.random)
            brute.network.posterior(name, given=findings)
            factor = next(f for f in brute.network.factors.values() if name in f.scope)
            table = self.random.random(factor.values.shape) + 0.1
            if factor.conditional:
                table /= table.sum(axis=-1, keepdims=True)
            joint = np.ones(brute.joint.shape)
            for other in brute.network.factors.values():
                joint = joint * brute.aligned(other.scope, table if other.name == factor.name else other.values)
            brute.joint = joint
            brute.network.set(factor.name, table)
            np.testing.assert_allclose(brute.network.posterior(name, given=findings),
                                       brute.posterior([name], findings), atol=1e-12)
            np.testing.assert_array_equal(brute.network.factors[factor.name].values, table)

    def test_values_that_a_query_cannot_have(self):
        m = mpf.Network()
        m.var("x", 2)
        m.factor("x", [1, 2], name="f")
        self.assertEqual(m.query("z = sum(x) f", type="u64"), 3)
        m.set("f", [0.5, 2])
        self.assertEqual(m.query("z = sum(x) f"), 2.5)
        with self.assertRaises(mpf.Error):
            m.query("z = sum(x) f", type="u64")
        m.set("f", [4, 2])
        self.assertEqual(m.query("z = sum(x) f", type="u64"), 6)

    def test_observable(self):
        brute = Brute(self.random, 6)
        compiled = brute.network.compile("P(v5)", observable=["v1", "v3"])
        for given in ({}, {"v1": 1}, {"v3": 0, "v1": 0}):
            if brute.given(given).sum() > 0:
                np.testing.assert_allclose(compiled.ask(given), brute.posterior(["v5"], given), atol=1e-12)
        with self.assertRaisesRegex(mpf.Usage, "v2"):
            compiled.ask({"v2": 0})

    def test_impossible_evidence(self):
        m = mpf.Network()
        m.var("x", ["a", "b"])
        m.var("y", ["a", "b"])
        m.prob("x", [1, 0])
        m.prob("y", [[1, 0], [0, 1]], given="x")
        self.assertEqual(m.log_evidence({"y": "b"}), -math.inf)
        for ask in (m.marginals, m.best, lambda given: m.posterior("x", given)):
            with self.assertRaisesRegex(mpf.BadInput, "probability 0"):
                ask({"y": "b"})
        rows = m.posterior("x", cases={"y": ["b", "a"]})
        np.testing.assert_array_equal(rows, [[np.nan, np.nan], [1, 0]])
        best = m.best(cases={"y": ["b", "a"]})
        self.assertEqual(best.states.tolist(), [[-1, -1], [0, 0]])
        self.assertEqual(best["x"].tolist(), [None, "a"])

    def test_far_below_doubles(self):
        m = mpf.Network()
        for i in range(3000):
            m.var(f"x{i}", 2)
            m.prob(f"x{i}", [0.25, 0.75])
        given = {f"x{i}": 0 for i in range(3000)}
        self.assertAlmostEqual(m.log_evidence(given) / (3000 * math.log(0.25)), 1, places=12)

    def test_whole_numbers_are_exact(self):
        m = mpf.Network()
        names = [f"x{i}" for i in range(20)]
        for name in names:
            m.var(name, 4)
            m.factor([name], [3, 5, 7, 11])
        text = f"total = sum({', '.join(names)}) " + " * ".join(m.factors)
        self.assertEqual(m.query(text, type="u128"), 26 ** 20)
        self.assertEqual(m.query(text, given={"x0": 1}, type="u128"), 5 * 26 ** 19)
        self.assertEqual(m.query(text, cases={"x0": [1, None]}, type="u128").tolist(), [5 * 26 ** 19, 26 ** 20])
        with self.assertRaises(mpf.Overflow):
            m.query(text, type="u64")

    def test_evidence_of_the_network(self):
        brute = Brute(self.random, 4)
        brute.network.observe({"v0": 1, "v2": [1.0] * brute.sizes["v2"]})
        self.assertEqual(brute.network.evidence, {"v0": "v0_1"})
        np.testing.assert_allclose(brute.network.posterior("v3"), brute.posterior(["v3"], {"v0": 1}), atol=1e-12)
        with self.assertRaisesRegex(mpf.Usage, "v0"):
            brute.network.posterior("v3", given={"v0": 0})
        brute.network.unobserve("v0", "v2")
        np.testing.assert_allclose(brute.network.posterior("v3"), brute.posterior(["v3"], {}), atol=1e-12)

    def test_pickles_and_files(self):
        brute = Brute(self.random, 5)
        findings = brute.findings(self.random, soft=False)
        wanted = brute.posterior(["v4"], findings)
        copy = pickle.loads(pickle.dumps(brute.network))
        np.testing.assert_allclose(copy.posterior("v4", findings), wanted, atol=1e-12)
        compiled = brute.network.compile("P(v4)")
        with tempfile.TemporaryDirectory() as folder:
            compiled.save(folder + "/v4.mpfb")
            np.testing.assert_allclose(mpf.load(folder + "/v4.mpfb").ask(findings), wanted, atol=1e-12)
            brute.network.write(folder + "/network.mpf")
            np.testing.assert_allclose(mpf.read(folder + "/network.mpf").posterior("v4", findings), wanted, atol=1e-12)
        np.testing.assert_allclose(pickle.loads(pickle.dumps(compiled)).ask(findings), wanted, atol=1e-12)

    def test_threads(self):
        brute = Brute(self.random, 6)
        findings = [brute.findings(self.random) for _ in range(20)]
        wanted = [brute.posterior(["v5"], given) for given in findings]
        wrong = []

        def ask():
            for given, table in zip(findings * 5, wanted * 5):
                if not np.allclose(brute.network.posterior("v5", given), table, atol=1e-12):
                    wrong.append(given)

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


class Tables(unittest.TestCase):
    def setUp(self):
        m = mpf.Network()
        m.var("a", ["x", "y"])
        m.var("b", ["0", "1", "2"])
        m.factor(["a", "b"], [[1, 2, 3], [4, 5, 6]], name="f")
        self.table = m.query("f2(a, b) = sum() f")

    def test_entries(self):
        self.assertEqual(self.table["y", "2"], 6)
        self.assertEqual(self.table["y", 2], 6)
        self.assertEqual(self.table[{"a": "x"}].to_dict(), {"0": 1, "1": 2, "2": 3})
        self.assertEqual(self.table[{"a": "x", "b": 1}], 2)
        self.assertEqual(self.table.labels, (("x", "y"), ("0", "1", "2")))
        np.testing.assert_allclose(self.table.log(), np.log([[1, 2, 3], [4, 5, 6]]))

    def test_views(self):
        self.assertIn("<td>x</td><td>1</td><td>2</td>", self.table._repr_html_())
        self.assertIn("x/1: 2", repr(self.table))

    def test_wrong_keys(self):
        for key in ("x", ("x", "9"), {"c": 1}, ("x", None)):
            with self.assertRaises(mpf.Error):
                self.table[key]


if __name__ == "__main__":
    unittest.main()
