"""Calls that are easily misread: each does what it says, or is refused by name."""
import copy
import importlib.util
import math
import os
import pickle
import subprocess
import sys
import tempfile
import threading
import unittest

import numpy as np
from networks import Brute, network

import mpf


def copied(value):
    return pickle.loads(pickle.dumps(value))


class Evidence(unittest.TestCase):
    def setUp(self):
        self.m = network()

    def rain(self, wet):
        return self.m.posterior("rain", {"wet": wet})["yes"]

    def test_weights_by_name(self):
        wanted = self.rain([0.3, 0.7])
        self.assertAlmostEqual(self.rain({"no": 0.3, 1: 0.7}), wanted)
        self.assertAlmostEqual(self.rain({"yes": 0.7, "no": 0.3}), wanted)
        self.assertAlmostEqual(self.rain({"yes": 1.0}), self.rain("yes"))
        soft = mpf.Table(np.array([0.3, 0.7]), [self.m.variables["wet"]])
        self.assertAlmostEqual(self.rain(soft), wanted)
        for wrong in ({None: 1.0, "no": 1.0}, {"no": 0.3, 0: 0.7}, self.m.posterior("rain"), ["a", "b"],
                      np.ma.array([0.3, 0.7], mask=[True, False])):
            with self.assertRaises(mpf.BadInput):
                self.rain(wrong)

    def test_texts_of_numbers(self):
        variable = mpf.Variable("n", 1000, [])
        variable.codes.clear()  # the reader is asked
        self.assertEqual([variable.code(text) for text in ("0", "7", "999", "")], [0, 7, 999, 1000])
        for text in ("1000", "07", "+7", "-1", "7.0", " 7", "99999999999", "seven"):
            with self.assertRaisesRegex(mpf.BadInput, "no state of 'n'"):
                variable.code(text)

    @unittest.skipIf(importlib.util.find_spec("pandas") is None, "pandas is not installed")
    def test_series(self):
        import pandas
        self.assertAlmostEqual(self.rain(pandas.Series({"yes": 0.7, "no": 0.3})), self.rain([0.3, 0.7]))
        self.assertAlmostEqual(self.rain(self.m.posterior("wet").to_series()[::-1]), self.rain(self.m.posterior("wet")))
        self.assertAlmostEqual(self.rain(pandas.Series([0.3, 0.7])), self.rain([0.3, 0.7]))
        for column in (pandas.period_range("2020", periods=2, freq="Y"), pandas.interval_range(0, 2)):
            with self.assertRaisesRegex(TypeError, "pandas type"):
                self.m.log_evidence(cases=pandas.DataFrame({"wet": column}))
        self.assertEqual(len(self.m.log_evidence(cases=pandas.DataFrame(index=range(3)))), 3)
        frame = pandas.DataFrame({"wet": ["yes", "no"]}, index=["first", "second"])
        self.assertEqual(list(self.m.log_evidence(cases=frame).index), ["first", "second"])
        self.assertEqual(list(self.m.marginals(cases=frame).log_evidence.index), ["first", "second"])
        unsigned = pandas.array([0, 255, None], dtype="UInt8")
        found = self.m.log_evidence(cases=pandas.DataFrame({"wet": unsigned}))
        np.testing.assert_allclose(found, self.m.log_evidence(cases={"wet": np.array([0, 255, 255], np.uint8)}))
        categories = pandas.Categorical(["no", None, "yes"])
        for column in (categories, pandas.CategoricalIndex(categories), pandas.Series(categories)):
            np.testing.assert_allclose(self.m.log_evidence(cases={"wet": column}),
                                       self.m.log_evidence(cases={"wet": ["no", None, "yes"]}))
        missing = self.m.log_evidence(cases={"wet": [pandas.NaT, pandas.NA, np.datetime64("NaT")]})
        np.testing.assert_allclose(missing, 0, atol=1e-12)

    def test_numbers_that_mean_nothing(self):
        nothing = self.m.posterior("rain")["yes"]
        for value in (None, math.nan, -1, -1.0, np.uint8(255), np.float32("nan"), ""):
            self.assertAlmostEqual(self.rain(value), nothing)
        for value in (-0.5, -math.inf, 0.5, 10 ** 400):
            with self.assertRaises(mpf.BadInput):
                self.rain(value)
        for column in (np.array([-0.5]), np.array([-math.inf]), np.array([-0.5], np.float32), [-0.5]):
            with self.assertRaises(mpf.BadInput):
                self.m.log_evidence(cases={"wet": column})
        for kind in (np.float32, np.float64):
            np.testing.assert_allclose(self.m.log_evidence(cases={"wet": np.array([-1, -2, np.nan], kind)}), 0, atol=1e-12)

    def test_masked_arrays(self):
        masked = np.ma.array([0, 1, 1], mask=[False, True, False])
        np.testing.assert_array_equal(self.m.log_evidence(cases={"wet": masked}),
                                      self.m.log_evidence(cases={"wet": [0, None, 1]}))
        both = np.ma.array([[0, 1], [1, 1]], mask=[[True, False], [False, True]])
        np.testing.assert_array_equal(self.m.log_evidence(cases=both),
                                      self.m.log_evidence(cases={"rain": [None, 1], "wet": [1, None]}))
        with self.assertRaises(mpf.BadInput):
            self.m.set("P(rain)", np.ma.array([0.5, 0.5], mask=[True, False]))
        with self.assertRaises(mpf.BadInput):
            mpf.einsum("a->", np.ma.array([1.0], mask=[True]))

    def test_ignored_columns(self):
        cases = {"wet": ["yes"], "rain": ["no"], "age": [3]}
        plain = self.m.log_evidence(cases={"wet": ["yes"]})
        np.testing.assert_array_equal(self.m.log_evidence(cases=cases, ignore=["rain", "age"]), plain)
        np.testing.assert_array_equal(self.m.log_evidence(cases={"wet": ["yes"], "rain": [0]}, ignore="rain"), plain)
        with self.assertRaisesRegex(mpf.Usage, "no variable 'age'; ignore= leaves a column out"):
            self.m.log_evidence(cases=cases, ignore="rain")
        for ignore in ("rain age", ["rain", "aeg"]):
            with self.assertRaises(mpf.Usage):
                self.m.log_evidence(cases=cases, ignore=ignore)

    def test_fields_of_packed_records(self):
        records = np.zeros(3, dtype=[("age", "u1"), ("wet", "i4")])
        records["wet"] = [0, 1, -1]
        np.testing.assert_array_equal(self.m.log_evidence(cases=records, ignore=["age"]),
                                      self.m.log_evidence(cases={"wet": [0, 1, -1]}))

    def test_wrong_kinds(self):
        for call in (lambda: self.m.posterior("rain", "wet"), lambda: self.m.observe("rain"),
                     lambda: self.m.posterior("rain", ["wet"]), lambda: mpf.parse(b"var x : { a }"),
                     lambda: self.m.var("z", "yes"), lambda: self.m.compile("P(rain)", likelihoods="wet"),
                     lambda: self.m.compile("P(rain)").save(None), lambda: mpf.einsum("a->a", [1.0], out=[1.0])):
            with self.assertRaises(TypeError):
                call()
        for options in ({"type": None}, {"device": 1}, {"states": 2}, {"timeout": -1}, {"memory": -1}, {"memory": 1.5}, {"memory": "1G"}, {"threads": -1}, {"threads": 1.5},
                        {"errors": "foo"}):
            with self.assertRaises(mpf.Usage):
                self.m.posterior("rain", **options)
        with self.assertRaises(mpf.BadInput):
            self.m.var("z", -1)
        self.m.var("z", [1, 2])
        self.assertEqual(self.m.variables["z"].labels, ("1", "2"))
        self.assertEqual(self.m.posterior("rain", likelihoods=["wet"], given={"rain": [1, 0]})["no"], 1)
        self.assertEqual(mpf.parse(self.m.text(), format="mpf").variables.keys(), self.m.variables.keys())

    def test_warnings_name_the_caller(self):
        m = mpf.parse("var x : { a, b }\nprob P(x) = [0.5, 0.5]\nobserve x = a")
        with self.assertWarns(mpf.Warning) as caught:
            m.posterior("x")
        self.assertEqual(caught.filename, __file__)


class Changes(unittest.TestCase):
    def test_queries_follow_their_network(self):
        m = network()
        query = m.compile("P(rain)")
        query.ask()
        other = m.compile("P(rain)")  # never asked
        m.set("P(rain)", [0.5, 0.5])
        self.assertAlmostEqual(query.ask()["yes"], 0.5)
        self.assertAlmostEqual(other.ask()["yes"], 0.5)
        self.assertAlmostEqual(m.posterior("rain")["yes"], 0.5)

    def test_values_that_one_query_cannot_have(self):
        m = mpf.Network()
        m.var("x", 2)
        m.var("y", 2)
        m.factor("x", [1, 2], name="f")
        m.factor("y", [1, 1], name="g")
        best, total, only = m.compile("best"), m.compile("evidence"), m.compile("z() = sum() f")
        self.assertEqual((best.ask()["x"], only.ask()), ("1", 3))
        self.assertAlmostEqual(total.ask(), math.log(6))
        m.set("f", [-1, 5])
        self.assertEqual(m.factors["f"].values.tolist(), [-1, 5])
        self.assertAlmostEqual(m.log_evidence(), math.log(8))
        self.assertAlmostEqual(total.ask(), math.log(8))
        self.assertEqual(only.ask(), 4)
        for ask in (best.ask, m.best):
            with self.assertRaises(mpf.Error):
                ask()
        m.set("g", [2, 2])  # `only` has no g
        self.assertEqual(only.ask(), 4)
        self.assertAlmostEqual(total.ask(), math.log(16))
        for ask in (best.ask, m.best, copied(best).ask):  # it still cannot have the values of f
            with self.assertRaises(mpf.Error):
                ask()
        m.set("f", [1, 3])
        self.assertEqual((best.ask()["x"], m.best()["x"]), ("1", "1"))

    def test_bind_checks_what_set_checks(self):
        m = mpf.Network()
        m.var("a", 2)
        m.var("b", 3)
        m.prob("a", [0.5, 0.5])
        m.prob("b", np.full((2, 3), 1 / 3), given="a")
        query = m.compile("P(b)")
        for values in (np.full((3, 2), 1 / 3), [[0.5, 0.5, 0.5]] * 2, [[-1, 1, 1]] * 2, [0.5] * 6, ["x"] * 6,
                       np.ma.array(np.full((2, 3), 1 / 3), mask=True), [1.0, 2.0]):
            with self.assertRaises(mpf.Error):
                query.bind("P(b)", values)
            self.assertAlmostEqual(query.ask()["0"], 1 / 3)
        query.bind("P(b)", [[1, 0, 0], [0, 1, 0]])
        self.assertEqual(query.ask().values.tolist(), [0.5, 0.5, 0])
        with tempfile.TemporaryDirectory() as folder:
            query.save(os.path.join(folder, "b.mpfb"))
            loaded = mpf.load(os.path.join(folder, "b.mpfb"))
        with self.assertRaisesRegex(mpf.BadInput, r"P\(b\): row 1 sums to 1.5, it must be 1"):
            loaded.bind("P(b)", [1, 0, 0, 0.5, 0.5, 0.5])

    def test_evidence_does_not_vanish_on_the_way_to_peers(self):
        for change in (lambda m: m.observe({"rain": "yes"}), lambda m: m.observe({"rain": [0.5, 1]}),
                       lambda m: m.var("alone", 2)):
            m = network()
            change(m)
            for convert in (mpf.to_pgmpy, mpf.to_pyagrum):
                with self.assertRaises((mpf.BadInput, ImportError)):
                    convert(m)
        for convert in (mpf.from_pgmpy, mpf.from_pyagrum):
            with self.assertRaises(TypeError):
                convert(object())

    def test_programs_do_not_pile_up(self):
        m = network()
        for memory in range(1 << 30, (1 << 30) + 300):
            m.posterior("rain", memory=memory)
        self.assertLessEqual(len(m._programs), 128)


class Results(unittest.TestCase):
    def test_copies_and_pickles(self):
        m = network()
        rows = {"wet": ["yes", "no"]}
        for result in (m.posterior("rain"), m.posterior("rain", cases=rows), m.marginals(), m.best(), m.best(cases=rows),
                       m.variables["rain"], m.query("t(rain) = sum(wet) P(rain) * P(wet)"), m.marginals(cases=rows)):
            for copied in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
                self.assertEqual(repr(copied) if hasattr(result, "values") else str(copied.__class__),
                                 repr(result) if hasattr(result, "values") else str(result.__class__))
        table = pickle.loads(pickle.dumps(m.query("t(rain) = sum(wet) P(rain) * P(wet)")))
        np.testing.assert_allclose(table.log(), np.log([0.8, 0.2]))
        self.assertAlmostEqual(copy.copy(m.marginals()).log_evidence, 0)

    def test_whole_numbers(self):
        m = mpf.Network()
        m.var("x", 2)
        m.factor("x", [2.0 ** 52 + 1, 3], name="f")
        m.factor("x", [4, 1], name="g")
        table = m.query("t(x) = sum() f * g", type="u64")
        self.assertEqual(table["0"], (2 ** 52 + 1) * 4)
        self.assertEqual(table[{"x": 1}], 3)
        self.assertIn(str((2 ** 52 + 1) * 4), table._repr_html_())
        self.assertTrue("0" in table and "2" not in table)
        self.assertEqual((len(table), table.ndim, list(table)), (2, 1, [(2 ** 52 + 1) * 4, 3]))

    def test_rows_by_label(self):
        m = network()
        rows = m.posterior(["rain", "wet"], cases={"wet": ["yes"]})
        for key in (0, None, ("no", None), "maybe"):
            with self.assertRaises(mpf.Error):
                rows[key]
        self.assertEqual(len(list(rows)), 1)

    def test_an_empty_network(self):
        self.assertEqual(mpf.Network().best(), {})
        self.assertEqual(mpf.Network().log_evidence(), 0)


class Einsum(unittest.TestCase):
    def test_results_that_their_type_does_not_hold(self):
        for arrays, dtype in [((np.array([1 << 30, -1], "i4"), np.array([8], "i4")), None),
                              ((np.array([-100, 1], "i1"), np.array([2], "i1")), None),
                              ((np.array([-1]), np.array([1])), "u1"), ((np.array([300]), np.array([1])), "i1")]:
            with self.assertRaises(mpf.Overflow):
                mpf.einsum("a,b->ab", *arrays, dtype=dtype)
        with self.assertRaises(mpf.Overflow):
            mpf.einsum("a->", np.empty(0, int), semiring="max-sum")
        for dtype in (int, "M8[s]", object, complex, bool, "S3"):
            with self.assertRaises(TypeError):
                mpf.einsum("a->a", np.array([0.5]), dtype=dtype)
        self.assertEqual(mpf.einsum("a->a", np.array([3]), dtype="i1").dtype, np.int8)

    def test_what_numpy_refuses(self):
        for expression, shapes in [("ii->", [(3, 1)]), ("...->", [(3,)]), ("...i->i", [(2, 3)]), ("ii->i", [(1, 3)])]:
            arrays = [np.ones(shape) for shape in shapes]
            with self.assertRaises(ValueError):
                np.einsum(expression, *arrays)
            with self.assertRaises(mpf.BadInput):
                mpf.einsum(expression, *arrays)

    def test_tensordot(self):
        x = np.ones((2, 3))
        for axes in ([[2], [0]], [[0, 0], [0, 1]], [[-3], [0]], 3, -1):
            with self.assertRaises(mpf.BadInput):
                mpf.tensordot(x, x, axes)
        self.assertEqual(mpf.tensordot(2.0, 3.0, 0), 6)
        with self.assertRaises(mpf.BadInput):
            mpf.tensordot(2.0, 3.0, 1)

    def test_one_operand(self):
        x = np.array([[1.0, -2.0], [3.0, 0.5]])
        for semiring, reduce in (("max-sum", np.max), ("min-sum", np.min)):
            np.testing.assert_array_equal(mpf.einsum("ab->a", x, semiring=semiring), reduce(x, axis=1))
            self.assertEqual(mpf.einsum("ab->", x, semiring=semiring), reduce(x))

    def test_memory_that_is_kept(self):
        mpf.clear_cache()
        from mpf.einsum import PLANS
        for size in range(1500, 1520):
            mpf.einsum("ab->b", np.ones((size, 1500)))
        self.assertLessEqual(sum(PLANS.sizes.values()), PLANS.most_bytes)
        self.assertLess(len(PLANS.plans), 20)
        mpf.clear_cache()
        self.assertEqual(len(PLANS.plans), 0)

    def test_options_of_other_libraries(self):
        x = np.eye(2)
        for optimize in (True, False, "greedy", None):
            np.testing.assert_array_equal(mpf.contract("ab,bc->ac", x, x, optimize=optimize), x)
        np.testing.assert_array_equal(mpf.contract("ab,bc->ac", x, x, optimize=[(0, 1)]), x)


class Processes(unittest.TestCase):
    def run_python(self, code):
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100)

    def test_the_process_ends_while_a_thread_computes(self):
        code = ("import mpf, numpy, threading, time\n"
                "x = numpy.ones((700, 700))\n"
                "def work():\n    while True: mpf.einsum('ab,bc,cd->ad', x, x, x)\n"
                "threading.Thread(target=work, daemon=True).start()\ntime.sleep(0.3)\n")
        run = self.run_python(code)
        self.assertEqual((run.returncode, run.stderr), (0, ""))

    def test_a_fork_while_a_thread_asks(self):
        code = ("import mpf, numpy, os, threading, time\n"
                "m = mpf.Network(); m.var('x', 2); m.prob('x', [.5, .5])\n"
                "q = m.compile('P(x)'); q.ask()\n"
                "cells = numpy.zeros(60_000_000, 'i1')\n"
                "threading.Thread(target=lambda: q.ask(cases={'x': cells}), daemon=True).start()\n"
                "time.sleep(0.1)\n"
                "child = os.fork()\n"
                "if child == 0:\n"
                "    try:\n        q.ask(); os._exit(0)\n"
                "    except mpf.Usage:\n        os._exit(0)\n"
                "print(os.waitpid(child, 0)[1])\n")
        self.assertEqual(self.run_python(code).stdout.strip(), "0")

    def test_blocks_check_their_places(self):
        from mpf import _mpf
        program = network().compile("P(rain)", likelihoods=["wet"])._program
        block = _mpf.Block(program, 4)
        for call in (lambda: block.fill_weights(5, [1.0]), lambda: block.fill_weights(0, [1.0]),
                     lambda: block.set_code(0, 0, 77), lambda: block.set_code(9, 0, 0), lambda: block.fill_column(0, 99),
                     lambda: block.start(0, 5)):
            with self.assertRaises(mpf.Usage):
                call()
        with self.assertRaises(mpf.Error):
            block.set_code(0, 4, 0)

    def test_threads_that_open_a_query_together(self):
        brute = Brute(np.random.default_rng(28), 5)
        compiled, found = brute.network.compile("P(v4)"), []
        threads = [threading.Thread(target=lambda: found.append(compiled.ask())) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for table in found:
            np.testing.assert_allclose(table, brute.posterior(["v4"], {}), atol=1e-12)
        self.assertEqual(len(found), 6)


if __name__ == "__main__":
    unittest.main()
