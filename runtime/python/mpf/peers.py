"""Networks from and to pgmpy and pyAgrum, by their arrays.

pgmpy stores a table with the child first; the order of states may differ from table to table. pyAgrum's
`cpt.toarray()` has the axes of `cpt.names` reversed. mpf has the parents first and the child last.
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from mpf.errors import BadInput
from mpf.network import Network


def from_pgmpy(model: Any) -> Network:
    """Returns the Network of a pgmpy DiscreteBayesianNetwork.

    >>> m = mpf.from_pgmpy(model)  # doctest: +SKIP
    """
    if not hasattr(model, "get_cpds"):
        raise TypeError(f"a {type(model).__name__} is no Bayesian network of pgmpy")
    network = Network(getattr(model, "name", None) or "network")
    cpds = {cpd.variable: cpd for cpd in model.get_cpds()}
    for name in model.nodes():
        if name not in cpds:
            raise BadInput(f"the pgmpy model has no table of {name!r}")
        network.var(str(name), [str(label) for label in cpds[name].state_names[name]])
    for name, cpd in cpds.items():
        child, *parents = cpd.variables
        values = np.asarray(cpd.values, dtype=float)
        for axis, variable in enumerate(cpd.variables):
            wanted = cpds[variable].state_names[variable]
            values = np.take(values, [cpd.state_names[variable].index(label) for label in wanted], axis=axis)
        network.prob(str(child), np.moveaxis(values, 0, -1), given=[str(parent) for parent in parents])
    return network


def to_pgmpy(network: Network) -> Any:
    """Returns a pgmpy DiscreteBayesianNetwork. All factors must be conditional tables.

    >>> model = mpf.to_pgmpy(m)  # doctest: +SKIP
    """
    from pgmpy.factors.discrete import TabularCPD
    from pgmpy.models import DiscreteBayesianNetwork
    model = DiscreteBayesianNetwork()
    model.add_nodes_from(network.variables)
    for *parents, child, values in _tables(network, "pgmpy"):
        model.add_edges_from((parent, child) for parent in parents)
        states = values.shape[-1]
        model.add_cpds(TabularCPD(
            child, states, np.moveaxis(values, -1, 0).reshape(states, -1), evidence=parents,
            evidence_card=list(values.shape[:-1]),
            state_names={name: list(network.variables[name].labels) for name in (child, *parents)}))
    return model


def from_pyagrum(model: Any) -> Network:
    """Returns the Network of a pyAgrum BayesNet.

    >>> m = mpf.from_pyagrum(model)  # doctest: +SKIP
    """
    if not hasattr(model, "cpt"):
        raise TypeError(f"a {type(model).__name__} is no BayesNet of pyAgrum")
    network = Network(model.propertyWithDefault("name", "network"))
    for node in model.nodes():
        variable = model.variable(node)
        network.var(variable.name(), [variable.label(state) for state in range(variable.domainSize())])
    for node in model.nodes():
        cpt = model.cpt(node)
        axes = list(reversed(cpt.names))  # of the array
        child = model.variable(node).name()
        parents = [name for name in axes if name != child]
        order = [axes.index(name) for name in (*parents, child)]
        network.prob(child, np.transpose(cpt.toarray(), order), given=parents)
    return network


def to_pyagrum(network: Network) -> Any:
    """Returns a pyAgrum BayesNet. All factors must be conditional tables.

    >>> model = mpf.to_pyagrum(m)  # doctest: +SKIP
    """
    import pyagrum
    model = pyagrum.BayesNet(network.name)
    for variable in network.variables.values():
        model.add(pyagrum.LabelizedVariable(variable.name, variable.name, list(variable.labels)))
    tables = list(_tables(network, "pyAgrum"))
    for *parents, child, _ in tables:
        for parent in parents:
            model.addArc(parent, child)
    for *parents, child, values in tables:
        cpt = model.cpt(child)
        names = [*parents, child]
        cpt[:] = np.ascontiguousarray(np.transpose(values, [names.index(name) for name in reversed(cpt.names)]))
    return model


def _tables(network: Network, peer: str) -> Iterator[Any]:
    """(parents..., child, values) of each factor."""
    rows = network._native.factors()
    observed = [name for name, _ in network._native.observations()] + [row[1][0] for row in rows if row[4]]
    if observed:
        raise BadInput(f"the network observes {', '.join(observed)} itself, {peer} keeps evidence apart: unobserve it first")
    children = {row[1][-1] for row in rows if row[2]}
    for name in network.variables:
        if name not in children:
            raise BadInput(f"variable {name!r} has no conditional table, which {peer} needs")
    for factor in network.factors.values():
        if not factor.conditional or factor.values is None:
            raise BadInput(f"{factor.name} is no conditional table with values: {peer} has no such factors")
        yield (*factor.scope, factor.values)
