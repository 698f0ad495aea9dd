"""Rows in Arrow's C data, of every layout that is read."""
import unittest

import numpy as np
from arrow_stream import Column, Table

import mpf


class Arrow(unittest.TestCase):
    def setUp(self):
        self.m = mpf.Network()
        self.m.var("x", ["red", "green", "a colour with a long name"])
        self.m.var("y", ["no", "yes"])
        self.m.prob("x", [0.2, 0.3, 0.5])
        self.m.prob("y", [[0.9, 0.1], [0.6, 0.4], [0.25, 0.75]], given="x")
        self.x = ["red", None, "a colour with a long name", "green", "green", None, "red"]
        self.y = ["yes", "no", None, "no", "yes", None, "yes"]
        self.wanted = self.m.log_evidence(cases={"x": self.x, "y": self.y})

    def check(self, *chunks, wanted=None, **options):
        table = Table(chunks, **options)
        np.testing.assert_allclose(self.m.log_evidence(cases=table), self.wanted if wanted is None else wanted)
        self.assertEqual(table.released, len(chunks) + 2)  # the schema and the stream too

    def test_texts(self):
        for format in ("u", "U"):
            self.check({"x": Column(format, self.x), "y": Column(format, self.y)})

    def test_chunks_and_offsets(self):
        columns = {"y": Column("u", self.y), "x": Column("U", self.x)}
        self.check({"y": Column("u", self.y[:3]), "x": Column("U", self.x[:3])},
                   {"y": Column("u", self.y[3:4]), "x": Column("U", self.x[3:4])},
                   {"y": Column("u", self.y[4:]), "x": Column("U", self.x[4:])})
        self.check(columns, wanted=self.wanted[2:], offset=2)

    def test_dictionaries(self):
        labels = ["green", "a colour with a long name", "unused", "red"]
        indices = [None if cell is None else labels.index(cell) for cell in self.x]
        for format in ("c", "C", "s", "i", "l"):
            self.check({"x": Column(format, indices, Column("u", labels)), "y": Column("u", self.y)})

    def test_numbers(self):
        places = [None if cell is None else self.m.variables["x"].labels.index(cell) for cell in self.x]
        truths = [None if cell is None else cell == "yes" for cell in self.y]
        for format in ("c", "C", "s", "i", "l", "f", "g"):
            self.check({"x": Column(format, places), "y": Column("b", truths)})

    def test_wrong_cells(self):
        for column, text in [(Column("u", ["red", "rde"]), "'rde' is none .*did you mean 'red'"),
                             (Column("c", [0, 3]), "3"), (Column("g", [0, 0.5]), "0.5"),
                             (Column("c", [1, 0], Column("u", ["rde", "red"])), "'rde' is none"),
                             (Column("i", [0, 9], Column("u", ["red"])), "row 1")]:
            with self.assertRaisesRegex(mpf.BadInput, f"row 1, column 'x': .*{text}|{text}"):
                self.m.log_evidence(cases=Table([{"x": column}]))
            skipped = self.m.log_evidence(cases=Table([{"x": column}]), errors="skip")
            self.assertEqual(np.isnan(skipped).tolist(), [False, True])

    def test_wrong_tables(self):
        table = Table([{"x": Column("u", self.x)}])
        capsule = table.__arrow_c_stream__()
        table.__arrow_c_stream__ = lambda: capsule
        self.m.log_evidence(cases=table)
        with self.assertRaisesRegex(mpf.Usage, "read before"):
            self.m.log_evidence(cases=table)
        failing = Table([{"x": Column("u", self.x)}])
        failing.get_next = lambda stream, target: 5
        with self.assertRaisesRegex(mpf.BadInput, "it failed"):
            self.m.log_evidence(cases=failing)
        strange = Column("u", self.x)
        strange.format = "tdD"
        with self.assertRaisesRegex(mpf.Unsupported, "column 'x' has the Arrow type 'tdD'"):
            self.m.log_evidence(cases=Table([{"x": strange}]))
        with self.assertRaisesRegex(mpf.Usage, "z"):
            self.m.log_evidence(cases=Table([{"z": Column("u", self.x)}]))


if __name__ == "__main__":
    unittest.main()
