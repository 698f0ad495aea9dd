#!/usr/bin/env python3
"""Answers rows of evidence on one network with another program; `mpf-bench cases` starts it.

    case_peers.py --peer NAME --task PR|MAR --uai FILE --rows FILE --seconds S --compared N --json OUT

A line of the rows is a case: the states of all variables, -1 if not observed. A pass has as many rows as the
program answers in a quarter of the time; passes are repeated until the time is over. The answers to the first
rows are written with the time of the passes (cases/case_peers.h). A program that cannot be imported is "not
run", a task that it does not answer is "refused". Peers:
- pyagrum: LazyPropagation of Bayesian networks, with one engine whose evidence changes from row to row
- pgmpy: VariableElimination of Bayesian networks, variable after variable (MAR)
- jax: variable elimination by min-fill, an einsum for each variable, all rows side by side (vmap). It computes
  in f64 and scales every message; posteriors are its derivatives. It runs on the GPU if jax has one
"""
import argparse
import json
import math
import sys
import time

sys.dont_write_bytecode = True  # beside this file, in the source tree
from network_peers import Network, Refused, attempt  # noqa: E402


def parseArguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", required=True, choices=list(PEERS))
    parser.add_argument("--task", required=True, choices=("PR", "MAR", "MPE"))
    parser.add_argument("--uai", required=True)
    parser.add_argument("--rows", required=True)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--compared", type=int, default=200)
    parser.add_argument("--json", required=True)
    return parser.parse_args()


def requireBayes(network):
    if network.kind != "BAYES":
        raise Refused("answers Bayesian networks only")


def impossible(network, task):
    return [0.0] * sum(network.extents) if task == "MAR" else [-math.inf]


class RowByRow:
    """A peer that answers one row at a time."""
    device = "cpu"

    def answerAll(self, rows):
        return [self.answer(row) for row in rows]


class PyAgrum(RowByRow):
    def __init__(self, network, task):
        import pyagrum
        requireBayes(network)
        self.gum, self.network, self.task = pyagrum, network, task
        net = pyagrum.BayesNet()
        for v, extent in enumerate(network.extents):
            net.add(pyagrum.RangeVariable(f"x{v}", "", 0, extent - 1))
        for scope, table in zip(network.scopes, network.tables):
            for parent in reversed(scope[:-1]):  # its tables have their first variable fastest
                net.addArc(f"x{parent}", f"x{scope[-1]}")
            net.cpt(f"x{scope[-1]}").fillWith(table)
        self.engine = pyagrum.LazyPropagation(net)
        self.names = [f"x{v}" for v in range(len(network.extents))]
        if task == "PR":  # one target is enough for the probability of the evidence
            self.engine.setTargets({"x0"})

    def answer(self, row):
        evidence = {self.names[v]: state for v, state in enumerate(row) if state >= 0}
        self.engine.setEvidence(evidence)
        try:
            self.engine.makeInference()
            if self.task == "PR":
                found = self.engine.evidenceProbability() if evidence else 1.0
                return [math.log(found) if found > 0 else -math.inf]
            return [p for v, name in enumerate(self.names) for p in self.posterior(row[v], v, name)]
        except (self.gum.IncompatibleEvidence, ValueError):
            return impossible(self.network, self.task)

    def posterior(self, state, v, name):
        if state >= 0:
            return [1.0 if i == state else 0.0 for i in range(self.network.extents[v])]
        return self.engine.posterior(name).tolist()


class Pgmpy(RowByRow):
    def __init__(self, network, task):
        if task != "MAR":
            raise Refused("answers no probability of evidence")
        import numpy
        from pgmpy.factors.discrete import TabularCPD
        from pgmpy.inference import VariableElimination
        try:
            from pgmpy.models import DiscreteBayesianNetwork as BayesianNetwork
        except ImportError:
            from pgmpy.models import BayesianNetwork
        requireBayes(network)
        self.network = network
        model = BayesianNetwork()
        model.add_nodes_from([f"x{v}" for v in range(len(network.extents))])
        for scope, table in zip(network.scopes, network.tables):
            extents = [network.extents[v] for v in scope]
            model.add_edges_from([(f"x{parent}", f"x{scope[-1]}") for parent in scope[:-1]])
            values = numpy.array(table).reshape(-1, extents[-1]).T
            model.add_cpds(TabularCPD(f"x{scope[-1]}", extents[-1], values / values.sum(axis=0),
                                      [f"x{p}" for p in scope[:-1]], extents[:-1]))
        self.engine = VariableElimination(model)

    def answer(self, row):
        evidence = {f"x{v}": state for v, state in enumerate(row) if state >= 0}
        answer = []
        for v, state in enumerate(row):
            answer += (self.posterior(f"x{v}", evidence) if state < 0 else
                       [1.0 if i == state else 0.0 for i in range(self.network.extents[v])])
        return answer

    def posterior(self, name, evidence):
        """Returns the posterior of one variable; several at once would be one joint table."""
        return self.engine.query([name], evidence=evidence, show_progress=False).values.tolist()


def minFill(scopes, count):
    """An order of all variables: each time one that adds the fewest neighbours' edges."""
    near = {v: set() for v in range(count)}
    for scope in scopes:
        for v in scope:
            near[v] |= set(scope) - {v}
    order = []
    while near:
        def fill(v):
            others = sorted(near[v])
            return sum(b not in near[a] for i, a in enumerate(others) for b in others[i + 1:])
        best = min(near, key=lambda v: (fill(v), len(near[v]), v))
        for v in near[best]:
            near[v] |= near[best] - {v}
            near[v].discard(best)
        del near[best]
        order.append(best)
    return order


class Jax:
    def __init__(self, network, task):
        import jax
        jax.config.update("jax_enable_x64", True)
        if task == "MPE":
            raise Refused("is asked for sums only")
        import jax.numpy as jnp
        self.jax, self.jnp, self.network = jax, jnp, network
        self.device = str(jax.devices()[0])
        self.order = minFill(network.scopes, len(network.extents))
        self.tables = [jnp.asarray(table).reshape([network.extents[v] for v in scope])
                       for scope, table in zip(network.scopes, network.tables)]
        self.states = jnp.asarray([(v, i) for v, extent in enumerate(network.extents) for i in range(extent)])
        one = self.logEvidence if task == "PR" else self.posteriors
        self.batch = jax.jit(jax.vmap(one))

    def indicators(self, row):
        """Returns 1 for each possible state of each variable, else 0, one after the other."""
        seen = row[self.states[:, 0]]
        return self.jnp.where((seen < 0) | (seen == self.states[:, 1]), 1.0, 0.0)

    def logSum(self, weights):
        jnp, total, at = self.jnp, 0.0, 0
        pending = list(zip(self.network.scopes, self.tables))
        for v, extent in enumerate(self.network.extents):
            pending.append(([v], weights[at:at + extent]))
            at += extent
        for v in self.order:
            taken = [p for p in pending if v in p[0]]
            pending = [p for p in pending if v not in p[0]]
            kept = sorted({w for scope, _ in taken for w in scope} - {v})
            names = {w: i for i, w in enumerate([v, *kept])}
            arguments = [part for scope, table in taken for part in (table, [names[w] for w in scope])]
            message = jnp.einsum(*arguments, [names[w] for w in kept])
            scale = self.jax.lax.stop_gradient(jnp.max(message))
            scale = jnp.where(scale > 0, scale, 1.0)
            total += jnp.log(scale)
            pending.append((kept, message / scale))
        value = 1.0
        for _, number in pending:  # one for each part of the network
            value *= number
        return total + jnp.log(value)

    def logEvidence(self, row):
        return self.jnp.array([self.logSum(self.indicators(row))])

    def posteriors(self, row):
        weights = self.indicators(row)
        return self.jnp.nan_to_num(weights * self.jax.grad(self.logSum)(weights))

    def answerAll(self, rows):
        return self.batch(rows).block_until_ready()


PEERS = {"pyagrum": PyAgrum, "pgmpy": Pgmpy, "jax": Jax}
BATCH_ROWS = 4096  # of a pass of jax, at most: a thousand rows and more hide what a call costs


def readRows(path):
    with open(path, encoding="utf-8") as file:
        return [list(map(int, line.split())) for line in file]


def rowsOfPass(peer, rows, seconds):
    """Returns the rows that take a quarter of the time, estimated from a few."""
    if isinstance(peer, Jax):
        return peer.jnp.asarray(rows[:BATCH_ROWS])
    started, done = time.perf_counter(), 0
    while done < len(rows) and time.perf_counter() - started < seconds / 10:
        peer.answer(rows[done])
        done += 1
    each = (time.perf_counter() - started) / done
    return rows[:max(1, min(len(rows), int(seconds / 4 / each)))]


def solve(options, result):
    network = Network(options.uai)
    started = time.perf_counter()
    peer = PEERS[options.peer](network, options.task)
    rows = rowsOfPass(peer, readRows(options.rows), options.seconds)
    answers = peer.answerAll(rows)  # jax compiles
    result.update(device=peer.device, opening_seconds=time.perf_counter() - started)
    times = []
    while not times or sum(times) < options.seconds:
        began = time.perf_counter()
        answers = peer.answerAll(rows)
        times.append(time.perf_counter() - began)
    result.update(status="solved", rows=len(rows), passes=len(times), best_seconds=min(times),
                  median_seconds=sorted(times)[len(times) // 2])
    result["answers"] = [["-inf" if x == -math.inf else float(x) for x in row]
                         for row in answers[:options.compared]]


def main():
    options = parseArguments()
    result = {"status": "failed", "why": ""}
    attempt(solve, options, result, str)
    with open(options.json, "w", encoding="utf-8") as file:
        json.dump(result, file)


if __name__ == "__main__":
    sys.exit(main())
