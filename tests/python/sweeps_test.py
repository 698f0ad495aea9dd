"""Swept params: answers for each value, against a network that is read with the value."""
import itertools
import math
import pickle
import tempfile
import unittest

import numpy as np
from arrow_stream import Column, Table

import mpf

TEXT = """param p in linspace(0.1, 0.9, 5)
param c in [2, 3]
param q = p / 2
var x, y : { no, yes }
prob P(x) = [p, 1 - p]
prob P(y | x) = [[q, 1 - q], [1 / c, 1 - 1 / c]]
factor f(x) = [c, 1]
"""
VALUES = {"p": np.linspace(0.1, 0.9, 5), "c": np.array([2.0, 3.0])}


def fixed(p, c):
    return mpf.parse(TEXT.replace("in linspace(0.1, 0.9, 5)", f"= {p!r}").replace("in [2, 3]", f"= {c!r}"))


class Sweeps(unittest.TestCase):
    def setUp(self):
        self.swept = mpf.parse(TEXT)
        self.fixed = [fixed(float(p), float(c)) for p, c in itertools.product(*VALUES.values())]

    def test_each_question(self):
        given = {"y": "yes"}
        for findings in ({}, given, {"y": [0.2, 0.7]}):
            one = [m.posterior("x", findings) for m in self.fixed]
            np.testing.assert_allclose(self.swept.posterior("x", findings), one)
            np.testing.assert_allclose(self.swept.log_evidence(findings), [m.log_evidence(findings) for m in self.fixed])
        np.testing.assert_allclose(self.swept.marginals(given)["x"], [m.marginals(given)["x"] for m in self.fixed])
        np.testing.assert_allclose(self.swept.posteriors(["x", ("y", "x")])["y", "x"],
                                   [m.posterior(["y", "x"]) for m in self.fixed])
        for query in ("z(y) = sum() f * P(y)", "z = sum() f", "l = logsum() f + P(y)", "m(y) = min() f + P(y)", "P(x | y)"):
            np.testing.assert_allclose(self.swept.query(query), [m.query(query) for m in self.fixed])
        best = self.swept.best(given)
        self.assertEqual(best["x"].tolist(), [m.best(given)["x"] for m in self.fixed])
        np.testing.assert_allclose(best.log_value, [m.best(given).log_value for m in self.fixed])
        for _ in range(40):  # a question that comes again takes another way
            again = self.swept.posterior("x", given)
        np.testing.assert_array_equal(again, self.swept.posterior("x", given))
        np.testing.assert_array_equal(again, self.swept.compile("P(x)").ask(given))

    def test_params(self):
        self.assertEqual(list(self.swept.params), ["p", "c"])  # q follows
        for name, values in VALUES.items():
            np.testing.assert_allclose(self.swept.params[name], values)
            np.testing.assert_allclose(self.swept.compile("best").sweeps[name], values)
        given = mpf.parse("param p = 0.5\nvar x : 2\nprob P(x) = [p, 1 - p]\n", params={"p": [0.25]})
        np.testing.assert_array_equal(given.posterior("x"), [[0.25, 0.75]])

    def test_columns_take_the_place_of_the_values(self):
        values = {"p": [0.25, 0.3, 0.7], "c": [4, 5, 1], "y": ["yes", "no", None]}
        wanted = []
        for p, c, y in zip(*values.values()):
            wanted.append(fixed(p, c).posterior("x", {"y": y}))
        listed = [dict(zip(values, row)) for row in zip(*values.values())]
        arrow = Table([{"p": Column("g", values["p"]), "c": Column("l", values["c"]), "y": Column("u", values["y"])}])
        for cases in (values, {name: np.array(column, dtype=object if name == "y" else float) for name, column in values.items()},
                      listed, arrow):
            np.testing.assert_allclose(self.swept.posterior("x", cases=cases), wanted)
        np.testing.assert_allclose(self.swept.posterior("x", {"y": 1}, cases={"p": [0.5], "c": [4]}),
                                   [fixed(0.5, 4).posterior("x", {"y": 1})])

    def test_given_params_hold_in_every_row(self):
        found = self.swept.posterior("x", {"c": 3, "y": "no"})
        np.testing.assert_array_equal(found, self.swept.posterior("x", {"y": "no"}).values[1::2])
        np.testing.assert_allclose(self.swept.posterior("x", {"p": 0.25, "c": 4}), [fixed(0.25, 4).posterior("x")])
        cases = {"p": [0.25, 0.3], "y": ["yes", None]}
        wanted = [fixed(p, 4.5).posterior("x", {"y": y}) for p, y in zip(*cases.values())]
        for given in ({"c": 4.5}, {"c": np.float32(4.5)}, {"c": "4.5"}):
            for _ in range(40):  # a question that comes again takes another way
                np.testing.assert_allclose(self.swept.posterior("x", given, cases=cases), wanted)
        for _ in range(40):
            again = self.swept.posterior("x", {"c": 3, "y": "no"})
        np.testing.assert_array_equal(again, found)
        for given, cases, kind, text in (({"c": "four"}, None, mpf.BadInput, "'c'.*'four'.*no number"),
                                         ({"c": [1, 2]}, None, mpf.BadInput, "'c'.*no number"),
                                         ({"c": True}, None, mpf.BadInput, "'c'.*no number"),
                                         ({"c": 2}, {"c": [2], "p": [0.5]}, mpf.Usage, "'c' is given, and a column"),
                                         ({"c": 2}, {"y": ["no"]}, mpf.Usage, "param 'p'.*a column")):
            with self.assertRaisesRegex(kind, text):
                self.swept.posterior("x", given, cases=cases)

    def test_many(self):
        text = "param p in linspace(0, 1, 300)\nparam r in linspace(0, 1, 300)\nvar x : 2\nfactor f(x) = [p, r]\n"
        found = mpf.parse(text).query("z(x) = f")
        self.assertEqual(found.shape, (90000, 2))
        steps = np.linspace(0, 1, 300)
        np.testing.assert_allclose(found.values[:, 0], np.repeat(steps, 300), atol=1e-15)
        np.testing.assert_allclose(found.values[:, 1], np.tile(steps, 300), atol=1e-15)

    def test_kept_queries(self):
        compiled = self.swept.compile("P(x)")
        wanted = compiled.ask()
        with tempfile.TemporaryDirectory() as folder:
            compiled.save(folder + "/x.mpfb")
            loaded = mpf.load(folder + "/x.mpfb")
        for same in (pickle.loads(pickle.dumps(compiled)), loaded, pickle.loads(pickle.dumps(self.swept)).compile("P(x)")):
            np.testing.assert_allclose(same.ask(), wanted)
            np.testing.assert_allclose(same.ask(cases={"p": [0.5], "c": [4]}), [fixed(0.5, 4).posterior("x")])

    def test_skipped_rows_have_no_answer(self):
        cases = {"p": [0.5, 3, math.nan, 0.25], "c": [2, 2, 2, 4], "y": ["no", "no", "no", "maybe"]}
        found = self.swept.posterior("x", cases=cases, errors="skip").values
        np.testing.assert_allclose(found[0], fixed(0.5, 2).posterior("x", {"y": "no"}))
        self.assertTrue(np.isnan(found[1:]).all())
        listed = [{"p": 0.5, "c": 4}, {"p": "much", "c": 4}, {"p": None, "c": 4}, {"p": 0.5, "c": True}]
        found = self.swept.log_evidence(cases=listed, errors="skip")
        self.assertEqual(np.isnan(found).tolist(), [False, True, True, True])
        best = self.swept.best(cases={"p": [0.5, -1], "c": [2, 2]}, errors="skip")
        self.assertEqual((best.states[1].tolist(), math.isnan(best.log_value[1])), ([-1, -1], True))

    def test_refused(self):
        for cases, kind, text in (({"p": [0.5]}, mpf.Usage, "param 'c'.*a column"), (np.zeros((3, 2), int), mpf.Usage, "param 'p'"),
                                  ({"p": ["a"], "c": [2]}, mpf.BadInput, "row 0, column 'p'.*no number"),
                                  ({"p": [True], "c": [2]}, mpf.BadInput, "row 0, column 'p'"),
                                  ({"p": [0.5, math.nan], "c": [2, 2]}, mpf.Error, "case 1.*param p"),
                                  ({"p": [0.5, 3], "c": [2, 2]}, mpf.Error, "case 1.*p = 3"),
                                  ({"p": [0.5], "c": [2], "d": [1]}, mpf.Usage, "'d'")):
            with self.assertRaisesRegex(kind, text):
                self.swept.posterior("x", cases=cases)
        with self.assertRaisesRegex(mpf.Usage, "'p'"):
            self.swept.posterior("x", cases={"p": [0.5], "c": [2]}, ignore="p")
        np.testing.assert_allclose(self.swept.posterior("x").values[0],
                                   self.fixed[0].posterior("x"))


if __name__ == "__main__":
    unittest.main()
