#!/usr/bin/env python3
"""Answers one task on one network with another program; `mpf-bench networks` starts it.

    network_peers.py --peer NAME --task PR|MAR|MPE --uai FILE --evidence FILE --json OUT

Writes the answer and the seconds of each phase in the form of mpf-bench's processes
(networks/network_run.h). A program that is not installed is "not run", a task that it does not
answer is "refused". Peers:
- pyagrum: LazyPropagation of Bayesian networks (PR, MAR, MPE); ShaferShenoyMRFInference of Markov
  networks (MAR)
- opt_einsum-numpy: its contraction path, one contraction after the other, each result scaled (PR)
- opt_einsum-torch: this path on torch, on the GPU if there is one (PR)
- jax: this path on jax.numpy, in double precision, on the GPU if there is one (PR)
- merlin: the program of that name on PATH, by clique tree elimination (PR, MAR, MPE); reading,
  planning and running are one phase
- toulbar2: MPE; the value is that of the assignment found, in full precision
"""
import argparse
import json
import math
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time


def parseArguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", required=True, choices=list(PEERS))
    parser.add_argument("--task", required=True, choices=("PR", "MAR", "MPE"))
    parser.add_argument("--uai", required=True)
    parser.add_argument("--evidence", required=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--memory", type=float, default=0, help="GiB of address space; 0: no limit")
    parser.add_argument("--repeat-seconds", type=float, default=0.2)
    parser.add_argument("--json", required=True)
    return parser.parse_args()


class Refused(Exception):
    """The program does not answer this, or not within its memory."""


class NotInstalled(Exception):
    """There is no such program on this machine."""


class Network:
    """A .uai file: tables are lists, last variable of the scope fastest."""

    def __init__(self, model, evidence=None):
        self.files = (model, evidence)
        with open(model, encoding="utf-8") as file:
            tokens = iter(file.read().split())
        self.kind = next(tokens)
        self.extents = [int(next(tokens)) for _ in range(int(next(tokens)))]
        self.scopes = [[int(next(tokens)) for _ in range(int(next(tokens)))]
                       for _ in range(int(next(tokens)))]
        self.tables = [[float(next(tokens)) for _ in range(int(next(tokens)))]
                       for _ in self.scopes]
        self.evidence = {}
        if evidence:
            with open(evidence, encoding="utf-8") as file:
                numbers = [int(word) for word in file.read().split()]
            self.evidence = dict(zip(numbers[1::2], numbers[2::2]))

    def log10Of(self, states):
        """log10 of the product of all tables at these states."""
        total = 0.0
        for scope, table in zip(self.scopes, self.tables):
            at = 0
            for variable in scope:
                at = at * self.extents[variable] + states[variable]
            if table[at] <= 0:
                return -math.inf
            total += math.log10(table[at])
        return total


class PyAgrum:
    def __init__(self, network, task, threads):
        import pyagrum
        self.gum, self.network, self.task = pyagrum, network, task
        self.isBayes = network.kind == "BAYES"
        if not self.isBayes and task != "MAR":
            raise Refused("answers only marginals of Markov networks")
        model = self.bayesNet() if self.isBayes else self.markovNet()
        self.engine = (pyagrum.LazyPropagation if self.isBayes
                       else pyagrum.ShaferShenoyMRFInference)(model)
        if hasattr(self.engine, "setNumberOfThreads"):
            self.engine.setNumberOfThreads(threads)
        self.engine.setEvidence({f"x{v}": state for v, state in network.evidence.items()})
        if self.isBayes and task == "PR":  # one target is enough for the probability of evidence
            self.engine.setTargets({"x0"})

    def variable(self, v):
        return self.gum.RangeVariable(f"x{v}", "", 0, self.network.extents[v] - 1)

    def bayesNet(self):
        net = self.gum.BayesNet()
        for v in range(len(self.network.extents)):
            net.add(self.variable(v))
        for scope, table in zip(self.network.scopes, self.network.tables):
            # Its tables have the child first, and their first variable is the fastest.
            for parent in reversed(scope[:-1]):
                net.addArc(f"x{parent}", f"x{scope[-1]}")
            net.cpt(f"x{scope[-1]}").fillWith(table)
        return net

    def markovNet(self):
        net = self.gum.MarkovRandomField()
        for v in range(len(self.network.extents)):
            net.add(self.variable(v))
        byScope = {}
        for scope, table in zip(self.network.scopes, self.network.tables):
            tensor = self.gum.Tensor()
            for v in reversed(scope):
                tensor.add(net.variable(f"x{v}"))
            tensor.fillWith(table if scope else table[0])
            key = frozenset(scope)  # it takes one factor for a set of variables
            byScope[key] = byScope[key] * tensor if key in byScope else tensor
        for key, tensor in byScope.items():
            if key:
                net.addFactor(tensor)
        return net

    def run(self):
        self.engine.makeInference()
        if self.task == "PR":
            found = self.engine.evidenceProbability() if self.network.evidence else 1.0
            return {"log10_value": math.log10(found) if found > 0 else "-inf"}
        if self.task == "MPE":
            states = self.engine.mpe().todict()
            values = [int(states[f"x{v}"]) for v in range(len(self.network.extents))]
            return {"log10_value": self.network.log10Of(values)}
        return {"marginals": [self.marginal(v) for v in range(len(self.network.extents))]}

    def marginal(self, v):
        if v in self.network.evidence:
            return [1.0 if i == self.network.evidence[v] else 0.0
                    for i in range(self.network.extents[v])]
        return self.engine.posterior(f"x{v}").tolist()


class OptEinsum:
    def __init__(self, network, task, threads, backend):
        import numpy
        import opt_einsum
        if task != "PR":
            raise Refused("answers the partition function only")
        self.path = opt_einsum
        self.network = network
        if backend == "torch":
            import torch
            torch.set_num_threads(threads)
            self.device = "cuda" if torch.cuda.is_available() else "cpu"
            self.sync = torch.cuda.synchronize if self.device == "cuda" else lambda: None
            convert = lambda a: torch.from_numpy(a).to(self.device)
        elif backend == "jax":
            import jax
            jax.config.update("jax_enable_x64", True)
            self.device, self.sync, convert = jax.devices()[0].platform, lambda: None, jax.numpy.asarray
        else:
            self.device, self.sync, convert = "cpu", lambda: None, lambda a: a
        self.terms, self.arrays = [], []
        for scope, table in zip(network.scopes, network.tables):
            array = numpy.array(table).reshape([network.extents[v] for v in scope])
            at = tuple(network.evidence.get(v, slice(None)) for v in scope)
            self.terms.append([v for v in scope if v not in network.evidence])
            self.arrays.append(convert(numpy.array(array[at], order="C")))

    def plan(self):
        symbol = self.path.get_symbol
        self.steps = []
        inputs = ",".join("".join(symbol(v) for v in term) for term in self.terms)
        shapes = [tuple(a.shape) for a in self.arrays]
        if len(shapes) > 1:
            self.steps, _ = self.path.contract_path(inputs + "->", *shapes, shapes=True,
                                                    optimize="auto")
        else:
            self.steps = [(0,)]

    def run(self):
        pending = list(zip(self.terms, self.arrays))
        exponent = 0.0
        free = {v for term in self.terms for v in term}
        for extent in (e for v, e in enumerate(self.network.extents)
                       if v not in free and v not in self.network.evidence):
            exponent += math.log10(extent)  # in no table: each state counts
        for step in self.steps:
            taken = [pending.pop(i) for i in sorted(step, reverse=True)]
            needed = {v for term, _ in pending for v in term}
            term, value = self.contract(taken, needed)
            scale = float(abs(value).max())
            if scale == 0:
                return {"log10_value": "-inf"}
            exponent += math.log10(scale)
            pending.append((term, value / scale))
        self.sync()
        return {"log10_value": exponent + math.log10(float(pending[0][1].sum()))}

    def contract(self, taken, needed):
        """Multiplies tables, and sums over variables that no other table needs."""
        names = {}
        for term, _ in taken:
            for v in term:
                names.setdefault(v, self.path.get_symbol(len(names)))
        kept = [v for v in names if v in needed]
        equation = ",".join("".join(names[v] for v in term) for term, _ in taken)
        equation += "->" + "".join(names[v] for v in kept)
        return kept, self.path.contract(equation, *(array for _, array in taken))


class Toulbar2:
    def __init__(self, network, task, threads):
        import pytoulbar2
        if task != "MPE":
            raise Refused("is asked for best assignments only")
        self.network = network
        self.model = pytoulbar2.CFN(ubinit=1e9, resolution=9)
        for v, extent in enumerate(network.extents):
            self.model.AddVariable(f"x{v}", range(extent))
        for scope, table in zip(network.scopes, network.tables):
            costs = [-math.log(x) if x > 0 else 1e8 for x in table]
            self.model.AddFunction([f"x{v}" for v in scope], costs)
        for v, state in network.evidence.items():
            self.model.AddFunction([f"x{v}"], [0 if i == state else 1e8
                                               for i in range(network.extents[v])])

    def run(self):
        found = self.model.Solve()
        if not found:
            raise Refused("found no assignment")
        return {"log10_value": self.network.log10Of(found[0])}


class Merlin:
    """Runs merlin with the command line and files of its README (github.com/radum2275/merlin)."""

    TASKS = {"PR": "PR", "MAR": "MAR", "MPE": "MAP"}

    def __init__(self, network, task, threads):
        self.program = shutil.which("merlin")
        if not self.program:
            raise NotInstalled("merlin: not installed (no program of that name on PATH)")
        self.network, self.task = network, task

    def run(self):
        model, evidence = self.network.files
        with tempfile.TemporaryDirectory() as folder:
            command = [self.program, "--input-file", os.path.abspath(model), "--task",
                       self.TASKS[self.task], "--algorithm", "cte", "--output-format", "uai",
                       "--output-file", os.path.join(folder, "out")]
            if self.network.evidence:
                command += ["--evidence-file", os.path.abspath(evidence)]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
            names = [name for name in os.listdir(folder) if name.startswith("out")]
            if done.returncode != 0 or len(names) != 1:
                said = (done.stderr or done.stdout).strip().splitlines()
                raise RuntimeError(said[-1] if said else f"exit status {done.returncode}")
            with open(os.path.join(folder, names[0]), encoding="utf-8") as file:
                words = file.read().split()
        return self.answer(words[words.index(self.TASKS[self.task]) + 1:])

    def answer(self, words):
        if self.task == "PR":
            return {"log10_value": float(words[0]) / math.log(10)}
        if self.task == "MPE":
            states = [int(word) for word in words[1:1 + int(words[0])]]
            return {"log10_value": self.network.log10Of(states)}
        numbers, marginals = iter(words[1:]), []
        for _ in range(int(words[0])):
            marginals.append([float(next(numbers)) for _ in range(int(next(numbers)))])
        return {"marginals": marginals}


PEERS = {"pyagrum": PyAgrum,
         "opt_einsum-numpy": lambda *of: OptEinsum(*of, "numpy"),
         "opt_einsum-torch": lambda *of: OptEinsum(*of, "torch"),
         "jax": lambda *of: OptEinsum(*of, "jax"),
         "toulbar2": Toulbar2,
         "merlin": Merlin}
RUNS_AGAIN = ("opt_einsum-numpy", "opt_einsum-torch", "jax")  # others keep what they found
# What drives a GPU maps far more addresses than it takes memory.
MAPS_MUCH = ("opt_einsum-torch", "jax")
LONGEST = 10  # as runAgain in networks/solve_network.cpp


def solve(options, result):
    seconds = result["seconds"]

    def timed(phase, work):
        started = time.perf_counter()
        done = work()
        seconds[phase] = time.perf_counter() - started
        return done

    network = timed("reading", lambda: Network(options.uai, options.evidence))
    peer = timed("opening", lambda: PEERS[options.peer](network, options.task, options.threads))
    result["device"] = getattr(peer, "device", "cpu")
    if hasattr(peer, "plan"):  # others plan inside their run
        timed("planning", peer.plan)
    result.update(timed("first_run", peer.run))
    result["status"] = "solved"
    first = seconds["first_run"]
    if options.peer in RUNS_AGAIN and first <= LONGEST * options.repeat_seconds:
        times, started = [], time.perf_counter()
        least = 3 if first <= options.repeat_seconds else 1
        while len(times) < least or sum(times) < options.repeat_seconds:
            timed("run", peer.run)
            times.append(seconds["run"])
        seconds["run"] = sorted(times)[len(times) // 2]
        seconds["repeating"] = time.perf_counter() - started
        result["later_runs"] = len(times)


def attempt(solve, options, result, whenMissing):
    """Records in the result how solve(options, result) failed. whenMissing: the status for a failed import."""
    try:
        solve(options, result)
    except ImportError as problem:
        result.update(status="not run", why=whenMissing(problem))
    except NotInstalled as problem:
        result.update(status="not run", why=str(problem))
    except Refused as problem:
        result.update(status="refused", why=str(problem))
    except MemoryError:
        result.update(status="refused", why="out of memory")
    except Exception as problem:  # of whatever kind the program throws: the campaign goes on
        result.update(status="failed", why=f"{type(problem).__name__}: {problem}"[:200])


def main():
    options = parseArguments()
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[variable] = str(options.threads)  # read when BLAS is loaded
    if options.threads == 1:
        os.environ["XLA_FLAGS"] = ("--xla_cpu_multi_thread_eigen=false "
                                   "intra_op_parallelism_threads=1")
    if options.memory and options.peer not in MAPS_MUCH:
        limit = int(options.memory * 2**30)
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    result = {"status": "failed", "why": "", "seconds": {}}
    attempt(solve, options, result, lambda problem: f"{options.peer}: not installed ({problem})")
    if result.get("log10_value") == -math.inf:
        result["log10_value"] = "-inf"
    result["peak_bytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    with open(options.json, "w", encoding="utf-8") as file:
        json.dump(result, file)


if __name__ == "__main__":
    sys.exit(main())
