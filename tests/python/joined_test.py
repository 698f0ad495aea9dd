"""Several posteriors at once, against each alone and against sums over all joint states."""
import itertools
import unittest
from unittest import mock

import numpy as np
from arrow_stream import Column, Table
from networks import Brute, network

import mpf
from mpf import _mpf
from mpf.compiling import compile_queries


class Joined(unittest.TestCase):
    def setUp(self):
        self.random = np.random.default_rng(48)

    def scopes(self, names):
        """All pairs in both orders, all variables alone, and one triple."""
        return [*names, *itertools.permutations(names, 2), tuple(names[:3])]

    def test_random_networks(self):
        for trial in range(6):
            brute = Brute(self.random, variables=5, conditional=trial % 2 == 0)
            if brute.joint.sum() == 0:
                continue
            scopes = self.scopes(brute.names)
            for findings in ({}, brute.findings(self.random, soft=False), brute.findings(self.random)):
                found = brute.network.posteriors(scopes, findings)
                self.assertEqual(list(found), scopes)
                for scope in scopes:
                    names = [scope] if isinstance(scope, str) else list(scope)
                    self.assertEqual(found[scope].names, tuple(names))
                    np.testing.assert_allclose(found[scope], brute.posterior(names, findings), atol=1e-12)

    def test_cases(self):
        brute = Brute(self.random, variables=4)
        codes = np.stack([self.random.integers(-1, size, 60) for size in brute.sizes.values()], axis=1)
        scopes = self.scopes(brute.names)
        found = brute.network.posteriors(scopes, cases=codes)
        for scope in scopes:
            alone = brute.network.posterior(scope, cases=codes)
            self.assertEqual(found[scope].names, alone.names)
            np.testing.assert_allclose(found[scope], alone, atol=1e-12)
        frame = {name: [*codes[:, column], 99] for column, name in enumerate(brute.names)}
        skipped = brute.network.posteriors(scopes, cases=frame, errors="skip")
        for scope in scopes:
            np.testing.assert_array_equal(np.asarray(skipped[scope])[:-1], found[scope])
            self.assertTrue(np.isnan(np.asarray(skipped[scope])[-1]).all())

    def test_a_reader_of_batches(self):
        apart = mpf.Network()
        for name in "abcdefghijkl":
            apart.var(name, 8)
            apart.factor(name, self.random.random(8))
        scopes = [("a", "b", "c", "d"), ("i", "j", "k", "l"), ("a", "l")]
        cells = {name: self.random.integers(0, 8, 7) for name in "ce"}
        half = [{name: Column("l", list(column[part])) for name, column in cells.items()} for part in (slice(4), slice(4, 7))]
        programs = compile_queries(apart, [apart._text(scope) for scope in scopes])
        self.assertGreater(len(programs), 1)
        found = apart.posteriors(scopes, cases=Table(half))
        for scope in scopes:
            np.testing.assert_array_equal(found[scope], apart.posterior(scope, cases=cells))

    def test_one_program_answers_neighbours(self):
        chain = mpf.Network()
        for place in range(40):
            chain.var(f"x{place}", 3)
            table = self.random.random((3, 3) if place else 3)
            chain.prob(f"x{place}", table, given=[f"x{place - 1}"] if place else (), normalise=True)
        pairs = [(f"x{place}", f"x{place + 1}") for place in range(39)]
        programs, real = [], _mpf.compile_cases
        with mock.patch.object(_mpf, "compile_cases", lambda *given: programs.append(real(*given)) or programs[-1]):
            chain.posteriors(pairs)
            chain.posteriors(reversed(pairs), {"x3": 1})
        self.assertEqual([len(made) for made, _ in programs], [1])

    def test_names_that_are_spelled(self):
        odd = mpf.Network()
        for name in ("a b", "in", "x[0]", "P", "évidence"):
            odd.var(name, ["no", "yes"])
            odd.factor(name, [1, 3])
        scopes = [("a b", "in"), "x[0]", ["P", "évidence"], "a b"]
        found = odd.posteriors(scopes)
        self.assertEqual(list(found), [("a b", "in"), "x[0]", ("P", "évidence"), "a b"])
        np.testing.assert_allclose(found["P", "évidence"], np.outer([1, 3], [1, 3]) / 16)

    def test_names_that_look_like_lists(self):
        odd = mpf.Network()
        names = ["a", "b", "a, b", "a | b", "`", "b = 0", "a`, `b", "a, b, c"]
        for place, name in enumerate(names):
            odd.var(name, ["0", "1, b"])
            odd.factor(name, [1, place + 1])
        scopes = self.scopes(names)
        for found in (odd.posteriors(scopes), odd.posteriors(scopes, cases={"a": [None]})):
            self.assertEqual(list(found), scopes)
            for scope in scopes:
                self.assertEqual(found[scope].names, (scope,) if isinstance(scope, str) else scope)
                np.testing.assert_allclose(np.ravel(found[scope]), np.ravel(odd.posterior(scope)), atol=1e-12)
        seen = {f"P(a{condition})" for condition in (" | b", " | `b = 0`", " | b = 0", " | b = `1, b`", ", `a | b`",
                                                     " | b = 0, `b = 0`", " | b = `1, b`, `b = 0`")}
        asked = mpf.parse(odd.text() + "".join(f"query {text}\n" for text in sorted(seen)))
        self.assertEqual(len(set(asked.queries)), len(seen))
        for name in asked.queries:  # each name is a text of the language, and reads as the query that has it
            self.assertEqual(mpf.parse(odd.text() + f"query {name}\n").queries, [name])

    def test_few_scopes(self):
        rain = network()
        self.assertEqual(rain.posteriors([]), {})
        self.assertEqual(list(rain.posteriors(["rain"])), ["rain"])
        self.assertEqual(list(rain.posteriors(["rain", ("rain",), "rain"])), ["rain", ("rain",)])
        np.testing.assert_allclose(rain.posteriors([("rain", "wet")])["rain", "wet"], [[0.72, 0.08], [0.04, 0.16]])

    def test_new_values(self):
        rain = network()
        rain.posteriors(["rain", ("rain", "wet")])
        rain.set("P(rain)", [0.5, 0.5])
        np.testing.assert_allclose(rain.posteriors(["rain", ("rain", "wet")])["rain"], [0.5, 0.5])

    def test_refused(self):
        rain = network()
        with self.assertRaisesRegex(mpf.Usage, "snow"):
            rain.posteriors(["rain", ("rain", "snow")])
        with self.assertRaisesRegex(mpf.Usage, "variable=3"):
            rain.posteriors([("rain", 3)])
        with self.assertRaises(TypeError):
            rain.posteriors([3])
        with self.assertRaises(TypeError):
            rain.posteriors("rain")
        with self.assertRaisesRegex(mpf.BadInput, "rain"):
            rain.posteriors([("rain", "rain"), "wet"])
        impossible = mpf.Network()
        for name in "ab":
            impossible.var(name, 2)
            impossible.factor(name, [1, 0])
        with self.assertRaises(mpf.Error):
            impossible.posteriors(["a", ("a", "b")], {"a": 1})


if __name__ == "__main__":
    unittest.main()
