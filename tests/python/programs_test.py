"""Narrow programs: questions about the same variables, asked until a program for them alone pays."""
import math
import unittest
import warnings
from unittest import mock

import numpy as np
from networks import Brute

import mpf


def narrow_programs(network):
    return [key for key in network._programs._programs if isinstance(key[1], frozenset)]


def ask_until_narrow(network, ask):
    """Returns the answers until one is by a narrow program that was not there before."""
    before = len(narrow_programs(network))
    for number in range(100_000):
        answer = ask()
        if number == 0:
            first = answer
        if len(narrow_programs(network)) > before:
            return first, answer, number
    raise AssertionError("no narrow program was compiled")


class Programs(unittest.TestCase):
    def setUp(self):
        self.random = np.random.default_rng(21)
        self.brute = Brute(self.random, variables=6)
        self.network = self.brute.network

    def test_answers_stay_the_same(self):
        for soft in (False, True):
            findings = self.brute.findings(self.random, soft=soft)
            for ask in (lambda: self.network.posterior("v2", findings), lambda: self.network.log_evidence(findings),
                        lambda: self.network.posterior(["v0", "v5"], findings)):
                first, last, number = ask_until_narrow(self.network, ask)
                self.assertGreater(number, 10)
                np.testing.assert_allclose(last, first, rtol=1e-12, atol=1e-15)

    def test_other_kinds(self):
        findings = self.brute.findings(self.random, soft=False)
        first, last, _ = ask_until_narrow(self.network, lambda: self.network.marginals(findings))
        self.assertEqual(list(first), list(last))
        for name in first:
            np.testing.assert_allclose(last[name], first[name], atol=1e-12)
        first, last, _ = ask_until_narrow(self.network, lambda: self.network.best(findings))
        self.assertEqual(dict(first), dict(last))

    def test_no_evidence(self):
        first, last, _ = ask_until_narrow(self.network, lambda: self.network.posterior("v3"))
        np.testing.assert_allclose(last, first, atol=1e-12)

    def test_other_states_and_other_variables(self):
        ask_until_narrow(self.network, lambda: self.network.posterior("v3", {"v1": "v1_0"}))
        count = len(narrow_programs(self.network))
        for findings in ({"v1": "v1_1"}, {"v1": 0}, {"v2": 1}, {"v1": 1, "v2": 0}):
            if self.brute.given(findings).sum() > 0:
                np.testing.assert_allclose(self.network.posterior("v3", findings),
                                           self.brute.posterior(["v3"], findings), atol=1e-12)
        self.assertEqual(len(narrow_programs(self.network)), count)
        with self.assertRaises(mpf.Error):
            self.network.posterior("v3", {"v1": "nothing"})

    def test_questions_come_again(self):
        plain = [{"v1": 1, "v4": "v4_0"}, {"v4": "v4_0", "v1": 1}, {"v1": "v1_0", "v4": 1}, {"v1": np.int64(1)}, {"v4": 1, "v3": 0}]
        soft = [{"v1": [0.2] * self.brute.sizes["v1"]}, {"v1": 1, "v4": np.arange(self.brute.sizes["v4"]) + 1.0}]
        findings = [found for found in [*plain, *soft, {}] if self.brute.given(found).sum() > 0]
        self.assertGreater(len(findings), 5)
        for _ in range(3):
            for query in (["v0"], ["v0", "v5"], ["v5", "v0"]):
                for found in findings:
                    np.testing.assert_allclose(self.network.posterior(query, found), self.brute.posterior(query, found),
                                               atol=1e-12)
                np.testing.assert_array_equal(self.network.posterior(query, {"v1": None}), self.network.posterior(query))
            for wrong in (["v1"], "v1", ("v1",), 3):
                with self.assertRaises(TypeError):
                    self.network.posterior("v0", wrong)
        with mock.patch.object(mpf.Network, "_compile_for", side_effect=AssertionError), \
                mock.patch("mpf.compiled.Compiled.ask", side_effect=AssertionError):
            self.network.posterior(["v0", "v5"], {"v4": "v4_0", "v1": 1})

    def test_new_values(self):
        findings = {"v1": "v1_0"}
        before = self.network.log_evidence(findings)
        self.network.factor(["v0"], np.ones(len(self.network.variables["v0"])), name="weight")
        ask_until_narrow(self.network, lambda: self.network.log_evidence(findings))
        factor = self.network.factors["weight"]
        self.network.set(factor.name, 2 * factor.values)
        self.assertAlmostEqual(self.network.log_evidence(findings), before + math.log(2), places=10)

    def test_a_count_of_questions_decides(self):
        numbers = []
        for _ in range(2):
            network = mpf.parse(self.network.text())
            numbers.append(ask_until_narrow(network, lambda: network.posterior("v2", {"v1": 0}))[2])
        self.assertEqual(*numbers)

    def test_programs_are_bounded(self):
        compiled = self.network.compile("P(v0)")
        programs = self.network._programs
        for number in range(5000):
            programs.general(("question", number), lambda: compiled)
            programs.pays(("question", number), frozenset({"v1"}))
            programs.keep_question(("question", number), None, frozenset(), compiled)
        self.assertLessEqual(len(programs._programs), 128)
        self.assertLessEqual(len(programs._counts), 4096)
        self.assertLessEqual(len(programs._again), 4096)

    def test_nothing_is_observable(self):
        compiled = self.network.compile("P(v3)", observable=[])
        np.testing.assert_allclose(compiled.ask(), self.brute.posterior(["v3"], {}), atol=1e-12)
        with self.assertRaisesRegex(mpf.Usage, "v1"):
            compiled.ask({"v1": 0})

    def test_warnings_come_once(self):
        text = "var x, y : 2\nprob P(x) = [0.5, 0.499]\nprob P(y | x) = [[0.5, 0.5], [0.5, 0.5]]\n"
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            network = mpf.parse(text)
            ask_until_narrow(network, lambda: network.posterior("x", {"y": 0}))
        self.assertEqual(len(told), 1)


class Questions(Programs):
    """The same where variables of evidence are always observed, as for networks whose programs are slow."""

    def setUp(self):
        super().setUp()
        patch = mock.patch("mpf.question.SLOW_US", 0.0)
        patch.start()
        self.addCleanup(patch.stop)

    def kinds(self):
        programs = self.network._programs._programs
        return {type(programs[key]).__name__ for key in narrow_programs(self.network)}

    def test_every_state(self):
        names = ("v1", "v4")
        ask_until_narrow(self.network, lambda: self.network.posterior(["v0", "v2"], {name: 0 for name in names}))
        ask_until_narrow(self.network, lambda: self.network.marginals({name: 0 for name in names}))
        self.assertEqual(self.kinds(), {"Question"})
        for states in np.ndindex(*(self.brute.sizes[name] for name in names)):
            findings = dict(zip(names, states))
            total = self.brute.given(findings).sum()
            if total == 0:
                with self.assertRaisesRegex(mpf.BadInput, "probability 0"):
                    self.network.posterior(["v0", "v2"], findings)
                continue
            np.testing.assert_allclose(self.network.posterior(["v0", "v2"], findings),
                                       self.brute.posterior(["v0", "v2"], findings), atol=1e-12)
            found = self.network.marginals(findings)
            self.assertAlmostEqual(found.log_evidence, math.log(total), places=10)
            self.assertEqual(list(found), self.brute.names)
            for name in self.brute.names:
                np.testing.assert_allclose(found[name], self.brute.posterior([name], findings), atol=1e-12)

    def test_what_the_network_observes(self):
        self.network.observe({"v2": self.states_of_v2()})
        first, last, _ = ask_until_narrow(self.network, lambda: self.network.marginals({"v1": 0}))
        self.assertEqual(list(first), list(last))
        for name in first:
            np.testing.assert_allclose(last[name], first[name], atol=1e-12)

    def states_of_v2(self):
        return int(self.brute.posterior(["v2"], {"v1": 0}).argmax())

    def test_findings_that_say_nothing(self):
        ask_until_narrow(self.network, lambda: self.network.posterior("v3", {"v1": 0}))
        np.testing.assert_allclose(self.network.posterior("v3", {"v1": None}), self.brute.posterior(["v3"], {}), atol=1e-12)
        np.testing.assert_allclose(self.network.posterior("v1", {"v1": 0}), self.brute.posterior(["v1"], {"v1": 0}))


if __name__ == "__main__":
    unittest.main()
