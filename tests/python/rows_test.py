"""Answers of many cases, from every kind of rows, against one case after the other."""
import unittest

import numpy as np
from networks import Brute

import mpf


class Rows(unittest.TestCase):
    def setUp(self):
        self.random = np.random.default_rng(21)
        self.brute = Brute(self.random, 5)
        while min(self.brute.sizes.values()) < 2 or (self.brute.joint == 0).all():
            self.brute = Brute(self.random, 5)
        sizes = list(self.brute.sizes.values())
        self.codes = np.stack([self.random.integers(0, size, 200) for size in sizes], axis=1)
        self.codes[self.random.random(self.codes.shape) < 0.6] = -1
        self.labels = {name: [None if code < 0 else f"{name}_{code}" for code in self.codes[:, column]]
                       for column, name in enumerate(self.brute.names)}
        findings = [{name: int(code) for name, code in zip(self.brute.names, row) if code >= 0} for row in self.codes]
        sums = [self.brute.given(given).sum() for given in findings]
        with np.errstate(divide="ignore"):
            self.logs = np.log(sums)
        self.posteriors = np.array([self.brute.posterior(["v1"], given) if total > 0
                                    else np.full(self.brute.sizes["v1"], np.nan)
                                    for given, total in zip(findings, sums)])
        self.findings = findings

    def check(self, cases, **options):
        np.testing.assert_allclose(self.brute.network.log_evidence(cases=cases, **options), self.logs, atol=1e-9)
        rows = self.brute.network.posterior("v1", cases=cases, **options)
        np.testing.assert_allclose(rows, self.posteriors, atol=1e-12)

    def test_arrays(self):
        for kind in "bhilfd":
            self.check(self.codes.astype(kind))
        self.check(np.asfortranarray(self.codes.astype(np.int8)))
        self.check(self.codes[::-1][::-1])
        self.check(np.repeat(self.codes, 3, axis=1)[:, ::3])
        self.check(self.codes.astype(">i4"))
        self.check(self.codes.astype(np.float16))
        self.check(np.where(self.codes < 0, np.nan, self.codes))
        for kind in "BHIL":
            codes = self.codes.astype(kind)
            codes[self.codes < 0] = np.iinfo(kind).max
            self.check(codes)
        fixed = self.codes.astype(np.int16)
        fixed.flags.writeable = False
        self.check(fixed)

    def test_backwards(self):
        backwards = {name: self.codes[::-1, column] for column, name in enumerate(self.brute.names)}
        found = self.brute.network.log_evidence(cases=backwards)
        np.testing.assert_allclose(found, self.logs[::-1], atol=1e-9)

    def test_columns(self):
        self.check(self.labels)
        self.check({name: np.array(cells, dtype=object) for name, cells in self.labels.items()})
        self.check({name: np.array([cell or "" for cell in cells]) for name, cells in self.labels.items()})
        self.check({name: [float("nan") if cell is None else cell for cell in cells]
                    for name, cells in self.labels.items()})
        self.check({name: self.codes[:, column] for column, name in enumerate(self.brute.names)})
        self.check([dict(given) for given in self.findings])
        records = np.zeros(len(self.codes), dtype=[(name, "i2") for name in reversed(self.brute.names)])
        for column, name in enumerate(self.brute.names):
            records[name] = self.codes[:, column]
        self.check(records)

    def test_every_result(self):
        network, cases = self.brute.network, self.labels
        marginals = network.marginals(cases=cases)
        np.testing.assert_allclose(marginals["v1"], self.posteriors, atol=1e-12)
        np.testing.assert_allclose(marginals.log_evidence, self.logs, atol=1e-9)
        best = network.best(cases=cases)
        for row, given in enumerate(self.findings):
            joint = self.brute.given(given)
            if joint.max() > 0:
                self.assertAlmostEqual(joint[tuple(best.states[row])], joint.max(), places=14)
        joint = network.posterior(["v1", "v0"], cases=cases)
        self.assertEqual(joint.shape, (200, self.brute.sizes["v1"], self.brute.sizes["v0"]))
        np.testing.assert_allclose(np.asarray(joint).sum(axis=2), self.posteriors, atol=1e-12)
        np.testing.assert_array_equal(joint["v1_1", "v0_0"], np.asarray(joint)[:, 1, 0])

    def test_given_holds_in_every_row(self):
        cases = {name: cells for name, cells in self.labels.items() if name != "v4"}
        soft = self.random.random(self.brute.sizes["v3"]).tolist()
        del cases["v3"]
        found = self.brute.network.log_evidence(given={"v4": 1, "v3": soft}, cases=cases)
        for row, given in enumerate(self.findings):
            given = {**{n: s for n, s in given.items() if n in cases}, "v4": 1, "v3": soft}
            total = self.brute.given(given).sum()
            if total > 0:
                self.assertAlmostEqual(found[row], np.log(total), places=9)

    def test_more_rows_than_a_block(self):
        count = 150_000
        cases = {"v0": self.random.integers(0, self.brute.sizes["v0"], count).astype(np.int8)}
        found = np.asarray(self.brute.network.posterior("v2", cases=cases))
        wanted = np.stack([self.brute.posterior(["v2"], {"v0": state}) for state in range(self.brute.sizes["v0"])])
        np.testing.assert_allclose(found, wanted[cases["v0"]], atol=1e-12)

    def test_no_rows(self):
        self.assertEqual(self.brute.network.log_evidence(cases={"v0": []}).shape, (0,))
        self.assertEqual(self.brute.network.posterior("v1", cases=np.empty((0, 5), int)).shape,
                         (0, self.brute.sizes["v1"]))

    def test_wrong_cells(self):
        wrong = {"v0": ["v0_0", None, "v0_O"], "v1": [0, 1, 0]}
        with self.assertRaisesRegex(mpf.BadInput, "row 2, column 'v0': 'v0_O' is none of .*did you mean 'v0_0'"):
            self.brute.network.log_evidence(cases=wrong)
        found = self.brute.network.log_evidence(cases=wrong, errors="skip")
        self.assertEqual(np.isnan(found).tolist(), [False, False, True])
        for column in ([0, 1, 99], np.array([0, 1, 99]), np.array([0, 1, 0.5]), np.array([0, 1, np.inf])):
            with self.assertRaisesRegex(mpf.BadInput, "row 2, column 'v1'"):
                self.brute.network.log_evidence(cases={"v1": column})
            skipped = self.brute.network.posterior("v0", cases={"v1": column}, errors="skip")
            self.assertEqual(np.isnan(skipped).all(axis=1).tolist(), [False, False, True])

    def test_wrong_cases(self):
        network = self.brute.network
        for cases, kind, text in [
                ({"v00": [0]}, mpf.Usage, "did you mean 'v"),
                ({"v0": [0], "v1": [0, 1]}, mpf.BadInput, "differ in length"),
                (np.zeros((2, 3), int), mpf.BadInput, "shape"),
                (np.zeros(5, int), mpf.BadInput, "shape"),
                ({"v0": np.zeros((2, 2))}, mpf.BadInput, "dimensions"),
                ({"v0": np.array([1j])}, TypeError, "complex128"),
                ({"v0": np.array(["2020-01-01"], dtype="M8[D]")}, TypeError, "datetime64"),
                ({0: [1]}, mpf.BadInput, "no text"),
                ([1], mpf.BadInput, "no dict"),
                (7, TypeError, "int")]:
            with self.assertRaisesRegex(kind, text):
                network.log_evidence(cases=cases)
        with self.assertRaisesRegex(mpf.Usage, "given, and a column"):
            network.log_evidence(given={"v0": 0}, cases={"v0": [0]})
        with self.assertRaisesRegex(mpf.Usage, "'raise' or 'skip'"):
            network.log_evidence(cases={"v0": [0]}, errors="ignore")
        plain = network.log_evidence(cases={"v0": [0]})
        np.testing.assert_array_equal(network.log_evidence(cases={"v0": [0], "age": [7]}, ignore=True), plain)
        np.testing.assert_array_equal(network.log_evidence(cases={"v0": [0], "age": [7]}, ignore=["age"]), plain)


class Numbers(unittest.TestCase):
    """Numbers where labels look like numbers."""

    def setUp(self):
        self.m = mpf.Network()
        self.m.var("x", ["1", "2", "0"])
        self.m.prob("x", [0.5, 0.3, 0.2])

    def test_two_readings_are_refused(self):
        for cases in ({"x": [1]}, {"x": np.array([1], np.int8)}, {"x": np.array([1.0])}):
            with self.assertRaisesRegex(mpf.BadInput, 'label.*number of state.*states="labels"'):
                self.m.log_evidence(cases=cases)
        with self.assertRaises(mpf.BadInput):
            self.m.log_evidence({"x": 1})

    def test_the_option_decides(self):
        for cases in ({"x": [1]}, {"x": np.array([1], np.uint8)}):
            self.assertAlmostEqual(self.m.log_evidence(cases=cases, states="labels")[0], np.log(0.5))
            self.assertAlmostEqual(self.m.log_evidence(cases=cases, states="numbers")[0], np.log(0.3))
        self.assertAlmostEqual(self.m.log_evidence({"x": 1}, states="labels"), np.log(0.5))
        self.assertAlmostEqual(self.m.log_evidence({"x": "1"}), np.log(0.5))
        with self.assertRaises(mpf.Usage):
            self.m.log_evidence({"x": 1}, states="both")


if __name__ == "__main__":
    unittest.main()
