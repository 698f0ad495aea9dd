"""Wrong calls: each has its class and message, and leaves the objects as they were."""
import math
import os
import pathlib
import pickle
import tempfile
import unittest

import numpy as np
from networks import network

import mpf
from mpf import _mpf


class WrongNetworks(unittest.TestCase):
    CALLS = [
        (lambda m: m.var("rain", 2), mpf.BadInput, "rain"),
        (lambda m: m.var("", 2), mpf.Error, ""),
        (lambda m: m.var("x", 0), mpf.Error, "x"),
        (lambda m: m.var("x", []), mpf.Error, "x"),
        (lambda m: m.var("x", ["a", "a"]), mpf.Error, "a"),
        (lambda m: m.var("x", -1), (mpf.Error, TypeError), ""),
        (lambda m: m.var("x", 2.5), TypeError, ""),
        (lambda m: m.var(7, 2), TypeError, ""),
        (lambda m: m.unobserve(["wet"]), mpf.Usage, "variable=.*: a text is needed"),
        (lambda m: m.posterior([["rain"]]), mpf.Usage, "variable=.*: a text is needed"),
        (lambda m: m.prob(["wet"], [0.5, 0.5]), mpf.Usage, "variable=.*: a text is needed"),
        (lambda m: m.factor([("rain",)], [1, 2]), mpf.Usage, "variable=.*: a text is needed"),
        (lambda m: m.prob("wet", [0.5, 0.5]), mpf.Error, "wet"),
        (lambda m: m.prob("snow", [0.5, 0.5]), mpf.Usage, "no variable 'snow'"),
        (lambda m: m.factor(["rain"], [1, 2, 3]), mpf.BadInput, r"shape \(3,\), its variables \(rain\) have \(2,\)"),
        (lambda m: m.factor(["rain", "wet"], [1, 2]), mpf.BadInput, "shape"),
        (lambda m: m.factor(["rain", "rain"], np.ones((2, 2))), mpf.Error, "rain"),
        (lambda m: m.factor(["rain"], [1, math.nan]), mpf.BadInput, "not a number"),
        (lambda m: m.factor(["rain"], ["a", "b"]), TypeError, "numbers"),
        (lambda m: m.factor(["rain"], [1j, 0]), TypeError, "complex"),
        (lambda m: m.factor(["rain"], [1, 2], name="P(rain)"), mpf.Error, "rain"),
        (lambda m: m.set("P(rain)", [0.5, 0.4]), mpf.BadInput, "sum|add"),
        (lambda m: m.set("P(rain)", [0.5]), mpf.BadInput, "shape"),
        (lambda m: m.set("P(rian)", [0.5, 0.5]), mpf.Usage, "did you mean 'P\\(rain\\)'"),
        (lambda m: m.observe({"rain": "maybe"}), mpf.BadInput, "maybe"),
        (lambda m: m.observe({"rain": None}), mpf.BadInput, "None"),
        (lambda m: m.observe({"rian": "no"}), mpf.Usage, "did you mean 'rain'"),
        (lambda m: m.unobserve("rian"), mpf.Usage, "rian"),
        (lambda m: m.write("/nowhere/x.mpf"), mpf.BadInput, "nowhere"),
        (lambda m: m.write("x.unknown"), mpf.Error, "unknown"),
        (lambda m: m.text(".unknown"), mpf.Error, "unknown"),
    ]

    def test_each_call(self):
        for number, (call, kind, text) in enumerate(self.CALLS):
            m = network()
            before = m.text()
            with self.subTest(number):
                with self.assertRaisesRegex(kind, text):
                    call(m)
                self.assertEqual(m.text(), before)
                self.assertAlmostEqual(m.posterior("rain", {"wet": "yes"})["yes"], 2 / 3)


class WrongQuestions(unittest.TestCase):
    CALLS = [
        (lambda m: m.posterior("rian"), mpf.Usage, "did you mean 'rain'"),
        (lambda m: m.posterior([]), mpf.Usage, ""),
        (lambda m: m.posterior(["rain", "rain"]), mpf.Usage, "rain"),
        (lambda m: m.posterior(3), TypeError, ""),
        (lambda m: m.posterior("rain", {"wet": "yess"}), mpf.BadInput, "did you mean 'yes'"),
        (lambda m: m.posterior("rain", {"wet": 2}), mpf.BadInput, "2"),
        (lambda m: m.posterior("rain", {"wet": 0.5}), mpf.BadInput, "0.5"),
        (lambda m: m.posterior("rain", {"wet": math.inf}), mpf.BadInput, "inf"),
        (lambda m: m.posterior("rain", {"wet": object()}), mpf.BadInput, "label or the number"),
        (lambda m: m.posterior("rain", {"wet": 1j}), mpf.BadInput, "label or the number"),
        (lambda m: m.posterior("rain", {"wet": [1, 2, 3]}), mpf.BadInput, "shape"),
        (lambda m: m.posterior("rain", {"wet": [0, 0]}), mpf.BadInput, "not all 0"),
        (lambda m: m.posterior("rain", {"wet": [-1, 1]}), mpf.BadInput, "not negative"),
        (lambda m: m.posterior("rain", {"wet": [math.nan, 1]}), mpf.BadInput, "finite"),
        (lambda m: m.posterior("rain", {"wet": {"yess": 1}}), mpf.BadInput, "did you mean 'yes'"),
        (lambda m: m.posterior("rain", {"snow": [0.5, 0.5]}), mpf.Usage, "snow"),
        (lambda m: m.posterior("rain", {"snow": 1}), mpf.Usage, "snow"),
        (lambda m: m.posterior("rain", {7: 1}), mpf.Usage, "7"),
        (lambda m: m.posterior("rain", type="f16"), mpf.Usage, "f16"),
        (lambda m: m.posterior("rain", type="u64"), mpf.Error, "u64"),
        (lambda m: m.posterior("rain", device="tpu"), mpf.Usage, "tpu"),
        (lambda m: m.posterior("rain", colour="red"), TypeError, "colour"),
        (lambda m: m.posterior("rain", observable="wet"), TypeError, "lists of names"),
        (lambda m: mpf.compile("alarm.bif", "P(rain)"), TypeError, "give a Network"),
        (lambda m: mpf.parse("var x : 2", format=3), mpf.Usage, "format=3: a text"),
        (lambda m: mpf.parse("var x : 2", normalise="yes"), mpf.Usage, "True or False"),
        (lambda m: mpf.parse("var x : 2", states=3), mpf.Usage, "states=3: a text"),
        (lambda m: mpf.parse("var x : 2", params=[1]), TypeError, "give a dict"),
        (lambda m: mpf.parse("var x : 2", params={1: 1}), mpf.Usage, "param=1: a text"),
        (lambda m: mpf.parse("var x : 2", normalize=True), mpf.Usage, "no option 'normalize'"),
        (lambda m: m.query("sum(rain) g"), mpf.Usage, "g"),
        (lambda m: m.query(7), mpf.Usage, "7"),
        (lambda m: m.compile("P(rain)").ask({"wet": [0.5, 0.5]}), mpf.Usage, "likelihoods="),
        (lambda m: m.compile("P(rain)", likelihoods=["snow"]), mpf.Usage, "snow"),
        (lambda m: m.compile("P(rain)").bind("P(rian)", [1, 2]), mpf.Usage, "rian"),
        (lambda m: m.compile("P(rain)").bind("P(rain)", [1, 2, 3]), mpf.Usage, "3 values"),
    ]

    def test_each_call(self):
        for number, (call, kind, text) in enumerate(self.CALLS):
            m = network()
            with self.subTest(number):
                with self.assertRaisesRegex(kind, text):
                    call(m)
                self.assertAlmostEqual(m.posterior("rain", {"wet": "yes"})["yes"], 2 / 3)

    def test_a_wrong_call_leaves_a_compiled_query_as_it_was(self):
        compiled = network().compile("P(rain)", likelihoods=["wet"])
        for given in ({"wet": "yes", "rain": "maybe"}, {"wet": [0, 0]}):
            with self.assertRaises(mpf.BadInput):
                compiled.ask(given)
            self.assertAlmostEqual(compiled.ask()["yes"], 0.2)


class Files(unittest.TestCase):
    def test_places_and_carets(self):
        with tempfile.TemporaryDirectory() as folder:
            path = folder + "/wrong.mpf"
            with open(path, "w") as file:
                file.write("var x : { a, b }\nprob P(x) = [0.5, 0.7]\n")
            with self.assertRaises(mpf.BadInput) as caught:
                mpf.read(path)
            self.assertEqual(caught.exception.places[0][:2], (path, 2))
            self.assertIn("^", str(caught.exception))
            self.assertEqual(caught.exception.kind, "BadInput")
            self.assertIsInstance(caught.exception, ValueError)
            with self.assertRaises(mpf.BadInput):
                mpf.read(folder + "/missing.bif")
            with open(folder + "/damaged.mpfb", "wb") as file:
                file.write(b"mpfb" * 50)
            with self.assertRaises(mpf.BadInput):
                mpf.load(folder + "/damaged.mpfb")

    def test_damaged_pickles(self):
        whole = pickle.dumps(network().compile("P(rain)"))
        random = np.random.default_rng(23)
        for _ in range(60):
            damaged = bytearray(whole)
            for place in random.integers(60, len(whole), 3):
                damaged[place] ^= int(random.integers(1, 256))
            try:
                pickle.loads(bytes(damaged)).ask()
            except Exception:  # noqa: BLE001 (any exception will do: the process goes on)
                pass

    def test_warnings(self):
        text = "var x : { a, b }\nprob P(x) = [0.5, 0.501]\nquery evidence\n"
        with self.assertWarns(mpf.Warning) as caught:
            mpf.parse(text)
        self.assertEqual(caught.filename, __file__)

    def test_params(self):
        text = "param p = 0.25\nvar x : { a, b }\nprob P(x) = [p, 1 - p]\n"
        self.assertAlmostEqual(mpf.parse(text).posterior("x")["a"], 0.25)
        self.assertAlmostEqual(mpf.parse(text, params={"p": 0.5}).posterior("x")["a"], 0.5)
        with self.assertRaises(mpf.Error):
            mpf.parse(text, params={"q": 0.5})
        self.assertEqual(mpf.parse(text).params, {"p": 0.25})
        text = "param t[2][2] = [[0.5, 0.5], [0.5, 0.5]]\nvar x, y : 2\nfactor f(x) = [1, 3]\nprob P(y | x) = t\n"
        for table in ([[0.5, 0.5], [0.25, 0.75]], ((0.5, 0.5), (0.25, 0.75)), np.array([[0.5, 0.5], [0.25, 0.75]])):
            self.assertAlmostEqual(mpf.parse(text, params={"t": table}).posterior("y")[0], (1 * 0.5 + 3 * 0.25) / 4)

    def test_words_of_a_code_come_over_a_channel(self):
        code = "2 1\n1 2\n1 1\n2\n1\n1\n1 2\n"  # both bits are equal
        network = mpf.parse(code, ".alist", params={"y0": 1}, channel="bsc:0.25")
        self.assertAlmostEqual(network.posterior("x1")[1], 0.75)
        with self.assertRaises(mpf.Usage):
            mpf.parse(code, ".alist", channel="bsc:2")

    def test_options_of_formats(self):
        for name in _mpf.format_options():
            self.assertIn(f"{name.replace('-', '_')}=", mpf.read.__doc__)
        # A child 1/2 of a father 1/1 has the allele 2 of its mother, so she is 2/2 with its frequency.
        families = "A father 0 0 1 1 1\nA mother 0 0 2 0 0\nA child father mother 1 1 2\n"
        loci = "1 0 0 5\n0 0.0 0.0 0\n1\n3 3\n0.5 0.3 0.2\n"
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "loci.dat")
            path.write_text(loci)
            for given in (path, str(path), os.fsencode(path)):
                mother = mpf.parse(families, ".ped", loci=given).posterior("geno_A_mother_l1")
                self.assertAlmostEqual(mother["2/2"], 0.3)
        bayes = "BAYES\n2\n2 2\n2\n1 0\n2 0 1\n2 0.5 0.5\n4 0.1 0.2 0.9 0.8\n"
        self.assertAlmostEqual(mpf.parse(bayes, ".uai", uai_tables="pgmpy").posterior("x1")[0], 0.15)
        self.assertAlmostEqual(mpf.parse(bayes, ".uai", uai_tables=None, normalise=True).posterior("x0")[0], 0.5)
        for wrong, said in (({"uai_tables": "rows"}, "there are format, agrum, pgmpy"), ({"uai_table": "agrum"}, "uai-tables"),
                            ({"loci": "x.dat"}, "--loci is for .ped files"), ({"position": math.nan}, "centimorgans"),
                            ({"trait": [0.1, 0, 0]}, "four numbers"), ({"trait": [0.1, 0, 0, 2]}, "four numbers")):
            with self.assertRaisesRegex(mpf.Usage, said):
                mpf.parse(bayes, ".uai", **wrong)


class Classes(unittest.TestCase):
    def test_bases(self):
        for kind, base in [(mpf.BadInput, ValueError), (mpf.Usage, ValueError), (mpf.MemoryBound, MemoryError),
                           (mpf.TimeLimit, TimeoutError), (mpf.Device, RuntimeError), (mpf.Verification, RuntimeError),
                           (mpf.Overflow, OverflowError), (mpf.Unsupported, NotImplementedError),
                           (mpf.Internal, AssertionError)]:
            self.assertTrue(issubclass(kind, base) and issubclass(kind, mpf.Error))

    def test_memory_bound(self):
        m = mpf.Network()
        for i in range(12):
            m.var(f"x{i}", 8)
        for i in range(12):
            for j in range(i):
                m.factor([f"x{j}", f"x{i}"], np.ones((8, 8)))
        with self.assertRaisesRegex(mpf.MemoryBound, "memory|bytes|peak"):
            m.log_evidence(memory=1000)


if __name__ == "__main__":
    unittest.main()
