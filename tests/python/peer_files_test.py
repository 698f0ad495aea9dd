"""Files between mpf, pgmpy and pyAgrum, where these are installed: each reads what the others write.

Six digits are what some writers of the other programs give, and pyAgrum reads some formats in single precision.
"""
import os
import tempfile
import unittest

import numpy as np
from networks import Brute
from peers_test import needs

import mpf

DIGITS = 1e-5


class PeerFiles(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def check_posteriors(self, m, posterior, what):
        """`posterior` gives the labels and the numbers of another program for a variable."""
        for name, variable in m.variables.items():
            found = dict(zip(*posterior(name)))
            ours = m.posterior(name)
            for label in variable.labels:
                self.assertAlmostEqual(found[label], ours[label], delta=DIGITS, msg=f"{what}: {name}={label}")

    def check_read(self, m, path):
        other = mpf.read(path)
        self.assertEqual({n: set(v.labels) for n, v in m.variables.items()},
                         {n: set(v.labels) for n, v in other.variables.items()})
        self.check_posteriors(m, lambda name: (other.variables[name].labels, other.posterior(name)), path)

    def networks(self):
        for seed in range(10):
            with self.subTest(seed=seed):
                yield Brute(np.random.default_rng(seed), variables=6).network

    @needs("pgmpy")
    def test_pgmpy(self):
        from pgmpy import readwrite
        from pgmpy.inference import VariableElimination
        kinds = {"xml": "XMLBIF", "net": "NET", "xdsl": "XDSL", "bif": "BIF"}
        for m in self.networks():
            for ending, kind in kinds.items():
                path = self.path(f"ours.{ending}")
                m.write(path)
                inference = VariableElimination(getattr(readwrite, f"{kind}Reader")(path).get_model())

                def posterior(name):
                    found = inference.query([name], show_progress=False)
                    return found.state_names[name], found.values

                self.check_posteriors(m, posterior, path)
                writer = getattr(readwrite, f"{kind}Writer")(mpf.to_pgmpy(m))
                path = self.path(f"theirs.{ending}")
                getattr(writer, f"write_{kind.lower()}", getattr(writer, "write", None))(path)
                self.check_read(m, path)

    @needs("pyagrum")
    def test_pyagrum(self):
        import pyagrum
        for m in self.networks():
            for ending in ("bifxml", "net", "bif"):
                path = self.path(f"ours.{ending}")
                m.write(path)
                model = pyagrum.loadBN(path)
                inference = pyagrum.LazyPropagation(model)
                inference.makeInference()
                self.check_posteriors(
                    m, lambda name: (model.variable(name).labels(), inference.posterior(name).tolist()), path)
            model = mpf.to_pyagrum(m)
            for ending in ("bifxml", "net", "bif", "xdsl", "dsl"):
                path = self.path(f"theirs.{ending}")
                pyagrum.saveBN(model, path)
                self.check_read(m, path)


if __name__ == "__main__":
    unittest.main()
