"""Networks for tests: a small one, and random ones with their answers by adding up every joint state."""
import numpy as np

import mpf


def network():
    """Rain makes the grass wet."""
    m = mpf.Network()
    m.var("rain", ["no", "yes"])
    m.var("wet", ["no", "yes"])
    m.prob("rain", [0.8, 0.2])
    m.prob("wet", [[0.9, 0.1], [0.2, 0.8]], given=["rain"])
    return m


class Brute:
    """A network and the product of its factors as one array."""

    def __init__(self, random, variables=5, conditional=True):
        self.sizes = {f"v{i}": int(random.integers(2, 5)) for i in range(variables)}
        self.network = mpf.Network("random")
        self.joint = np.ones(tuple(self.sizes.values()))
        names = list(self.sizes)
        for name, size in self.sizes.items():
            self.network.var(name, [f"{name}_{state}" for state in range(size)])
        for place, name in enumerate(names):
            parents = list(random.permutation(names[:place])[:int(random.integers(0, 3))])
            scope = [*parents, name]
            table = random.random([self.sizes[v] for v in scope]) ** 3
            table[random.random(table.shape) < 0.15] = 0
            if conditional:
                table[..., 0] += 0.01
                table /= table.sum(axis=-1, keepdims=True)
                self.network.prob(name, table, given=parents)
            else:
                self.network.factor(scope, table)
            self.multiply(scope, table)

    @property
    def names(self):
        return list(self.sizes)

    def multiply(self, scope, table):
        self.joint = self.joint * self.aligned(scope, table)

    def aligned(self, scope, table):
        """The table with an axis for each variable of the network."""
        order = sorted(range(len(scope)), key=lambda axis: self.names.index(scope[axis]))
        shape = [self.sizes[name] if name in scope else 1 for name in self.names]
        return np.transpose(table, order).reshape(shape)

    def given(self, findings):
        """The joint array times the evidence: states by number or label, or weights."""
        joint = self.joint
        for name, finding in findings.items():
            weights = np.zeros(self.sizes[name])
            if isinstance(finding, (list, np.ndarray)):
                weights = np.asarray(finding, dtype=float)
            elif isinstance(finding, str):
                weights[int(finding.split("_")[1])] = 1
            else:
                weights[finding] = 1
            joint = joint * self.aligned([name], weights)
        return joint

    def posterior(self, variables, findings):
        """The posterior over `variables`, axes in their order."""
        joint = self.given(findings)
        axes = [self.names.index(name) for name in variables]
        other = tuple(axis for axis in range(joint.ndim) if axis not in axes)
        table = joint.sum(axis=other)
        left = sorted(axes)
        return np.transpose(table, [left.index(axis) for axis in axes]) / table.sum()

    def findings(self, random, soft=True):
        """Evidence on some variables whose probability is above 0."""
        while True:
            found = {}
            for name, size in self.sizes.items():
                kind = random.integers(0, 6)
                if kind == 0:
                    found[name] = int(random.integers(0, size))
                elif kind == 1:
                    found[name] = f"{name}_{random.integers(0, size)}"
                elif kind == 2 and soft:
                    found[name] = random.random(size).tolist()
            if self.given(found).sum() > 0:
                return found
