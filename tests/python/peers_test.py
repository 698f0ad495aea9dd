"""Networks from and to pgmpy and pyAgrum, where these are installed, and frames of pandas, polars and pyarrow."""
import importlib.util
import unittest

import numpy as np
from networks import Brute

import mpf


def needs(*modules):
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    return unittest.skipIf(missing, f"{', '.join(missing)} is not installed")


def asymmetric():
    """A network of 2, 3 and 4 states whose tables have no symmetry; the parents of c are not in the network's order."""
    random = np.random.default_rng(24)
    m = mpf.Network("asymmetric")
    for name, size in (("a", 2), ("b", 3), ("c", 4)):
        m.var(name, [f"{name}{state}" for state in range(size)])
    for child, parents, shape in (("a", [], (2,)), ("b", ["a"], (2, 3)), ("c", ["b", "a"], (3, 2, 4))):
        table = random.random(shape)
        m.prob(child, table / table.sum(axis=-1, keepdims=True), given=parents)
    return m


class Peers(unittest.TestCase):
    def check_same(self, m, other):
        self.assertEqual({n: v.labels for n, v in m.variables.items()}, {n: v.labels for n, v in other.variables.items()})
        for name in m.variables:
            for given in ({}, {"a": "a1"}, {"b": "b2", "c": "c3"}):
                np.testing.assert_allclose(other.posterior(name, given), m.posterior(name, given), atol=1e-12)

    @needs("pgmpy")
    def test_pgmpy(self):
        from pgmpy.factors.discrete import TabularCPD
        from pgmpy.inference import VariableElimination
        from pgmpy.models import DiscreteBayesianNetwork
        m = asymmetric()
        model = mpf.to_pgmpy(m)
        self.assertTrue(model.check_model())
        found = VariableElimination(model).query(["c"], evidence={"a": "a1"}, show_progress=False)
        labels = found.state_names["c"]
        for label, value in zip(labels, found.values):
            self.assertAlmostEqual(m.posterior("c", {"a": "a1"})[label], value)
        self.check_same(m, mpf.from_pgmpy(model))
        model = DiscreteBayesianNetwork([("x", "y")])  # a parent's states in another order in the child's table
        model.add_cpds(TabularCPD("x", 2, [[0.3], [0.7]], state_names={"x": ["n", "y"]}),
                       TabularCPD("y", 2, [[0.1, 0.6], [0.9, 0.4]], evidence=["x"], evidence_card=[2],
                                  state_names={"y": ["f", "t"], "x": ["y", "n"]}))
        self.assertAlmostEqual(mpf.from_pgmpy(model).posterior("y", {"x": "n"})["f"], 0.6)

    @needs("pyagrum")
    def test_pyagrum(self):
        import pyagrum
        m = asymmetric()
        model = mpf.to_pyagrum(m)
        inference = pyagrum.LazyPropagation(model)
        inference.setEvidence({"a": "a1"})
        inference.makeInference()
        np.testing.assert_allclose(inference.posterior("c").toarray(), m.posterior("c", {"a": "a1"}), atol=1e-6)
        self.check_same(m, mpf.from_pyagrum(model))

    def test_factors_that_are_no_tables_are_refused(self):
        m = asymmetric()
        m.factor(["a"], [1, 2])
        for convert in (mpf.to_pgmpy, mpf.to_pyagrum):
            with self.assertRaises((mpf.BadInput, ImportError)):
                convert(m)


class Frames(unittest.TestCase):
    def setUp(self):
        random = np.random.default_rng(25)
        self.brute = Brute(random, 4)
        self.codes = np.stack([random.integers(0, size, 500) for size in self.brute.sizes.values()], axis=1)
        self.codes[random.random(self.codes.shape) < 0.6] = -1
        self.labels = {name: [None if code < 0 else f"{name}_{code}" for code in self.codes[:, column]]
                       for column, name in enumerate(self.brute.names)}
        self.wanted = self.brute.network.log_evidence(cases=self.codes)

    def check(self, cases):
        np.testing.assert_array_equal(self.brute.network.log_evidence(cases=cases), self.wanted)

    @needs("pandas")
    def test_pandas(self):
        import pandas
        frame = pandas.DataFrame(self.labels)
        self.check(frame)
        self.check(frame.astype(object))
        self.check(frame.astype("category"))
        self.check(pandas.DataFrame(self.codes, columns=self.brute.names))
        self.check(pandas.DataFrame(self.codes, columns=self.brute.names).replace(-1, None).astype("Int64"))
        self.check(pandas.DataFrame(np.where(self.codes < 0, np.nan, self.codes), columns=self.brute.names))
        rows = self.brute.network.posterior("v1", cases=frame.set_index(np.arange(500) + 7)).to_frame()
        self.assertEqual(list(rows.index[:2]), [7, 8])
        self.assertEqual(list(rows.columns)[:2], ["v1=v1_0", "v1=v1_1"])
        self.assertEqual(list(self.brute.network.best(cases=frame).to_frame().columns), self.brute.names)
        self.assertEqual(self.brute.network.posterior("v0").to_series()["v0_1"],
                         self.brute.network.posterior("v0")["v0_1"])
        with self.assertRaisesRegex(mpf.BadInput, "two columns 'v0'"):
            self.check(pandas.concat([frame, frame[["v0"]]], axis=1))

    @needs("polars")
    def test_polars(self):
        import polars
        frame = polars.DataFrame(self.labels)
        self.check(frame)
        self.check(frame.with_columns(polars.all().cast(polars.Categorical)))
        self.check({name: frame[name] for name in frame.columns})
        self.check(polars.concat([frame[:123], frame[123:]], rechunk=False))
        with self.assertRaisesRegex(mpf.BadInput, "row 0, column 'v0': 'x' is none"):
            self.brute.network.log_evidence(cases=polars.DataFrame({"v0": ["x"]}))

    @needs("pyarrow")
    def test_pyarrow(self):
        import pyarrow
        table = pyarrow.table(self.labels)
        self.check(table)
        self.check(pyarrow.concat_tables([table[:100], table[100:101], table[101:]]))
        self.check(table.slice(0))
        np.testing.assert_array_equal(self.brute.network.log_evidence(cases=table.slice(37, 400)), self.wanted[37:437])
        self.check(pyarrow.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=64)))
        for kind in (pyarrow.large_string(), pyarrow.string_view(), pyarrow.dictionary(pyarrow.int8(), pyarrow.string()),
                     pyarrow.dictionary(pyarrow.uint32(), pyarrow.large_string())):
            with self.subTest(kind):
                columns = {}
                for name in table.column_names:
                    column = table[name].combine_chunks()
                    is_dictionary = pyarrow.types.is_dictionary(kind)
                    columns[name] = (column.cast(kind.value_type).dictionary_encode().cast(kind) if is_dictionary
                                     else column.cast(kind))
                self.check(pyarrow.table(columns))
        numbers = {name: [None if code < 0 else int(code) for code in self.codes[:, column]]
                   for column, name in enumerate(self.brute.names)}
        for kind in (pyarrow.int8(), pyarrow.uint16(), pyarrow.int64(), pyarrow.float32(), pyarrow.float64()):
            self.check(pyarrow.table({name: pyarrow.array(cells, kind) for name, cells in numbers.items()}))
        with self.assertRaisesRegex(mpf.Unsupported, "date|tdD"):
            self.brute.network.log_evidence(cases=pyarrow.table({"v0": pyarrow.array([1], pyarrow.date32())}))
        self.check({name: table[name] for name in table.column_names})


if __name__ == "__main__":
    unittest.main()
