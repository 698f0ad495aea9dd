"""Times of single questions asked from Python: mpf, pyAgrum and pgmpy in one process, with the same evidence.

Questions are a posterior, all posteriors, and the most probable explanation (MPE), compared by its probability. For
an explanation pgmpy makes one table over all unobserved variables, and is asked if it has at most 2^22 entries.
Evidence for which pyAgrum fails ("Empty tensor") is left out, for mpf too.

Each question observes two variables, which change from call to call. All programs answer it with a network that they
keep. The answers are compared first: pyAgrum reads .bif files in single precision. Prints a table in Markdown with
microseconds of each call by the clock, the least of three rounds, and geometric means of the ratios. Every program is
asked for some seconds before that: mpf then has a program for each set of observed variables. The machine must have
nothing else to do. pyAgrum gets a thread for each processor that this process may use (taskset).

usage: python_peers.py FOLDER | MODEL.bif ...    (needs the packages mpf, pyagrum and pgmpy)
A folder has the ten networks of NETWORKS.
"""
import logging
import math
import os
import sys
import time
import warnings

import mpf
import numpy as np
import pyagrum
from pgmpy.inference import VariableElimination

NETWORKS = "asia sachs child insurance alarm hailfinder win95pts water andes pigs".split()
QUESTIONS = 6
WARM_UP_SECONDS = 5
LEAST_LOG_EVIDENCE = -12  # findings that are not too rare for single precision
FURTHEST = 1e-5
MOST_ENTRIES = 1 << 22  # of a table of pgmpy


def questionsOf(network):
    """Returns pairs of a variable and evidence on two others."""
    random = np.random.default_rng(3)
    variables = list(network.variables.values())
    questions = []
    while len(questions) < QUESTIONS:
        *seen, asked = random.choice(len(variables), 3, replace=False)
        given = {variables[i].name: variables[i].labels[random.integers(len(variables[i]))] for i in seen}
        if network.log_evidence(given) > LEAST_LOG_EVIDENCE:
            questions.append((variables[asked].name, given))
    return questions


class Mpf:
    def __init__(self, network):
        self.network = network

    def posterior(self, name, given):
        table = self.network.posterior(name, given)
        return dict(zip(table.labels, np.asarray(table)))

    def marginals(self, given):
        return self.network.marginals(given)

    def best(self, given):
        return dict(self.network.best(given))


class PyAgrum:
    def __init__(self, network):
        self.network = mpf.to_pyagrum(network)
        self.inference = pyagrum.LazyPropagation(self.network)

    def ask(self, names, given):
        self.inference.setEvidence(given)
        self.inference.makeInference()
        return [self.inference.posterior(name).toarray() for name in names]

    def posterior(self, name, given):
        return dict(zip(self.network.variable(name).labels(), self.ask([name], given)[0]))

    def marginals(self, given):
        return self.ask(self.network.names(), given)

    def best(self, given):
        self.inference.setEvidence(given)
        return self.inference.mpe().todict(True)

    def finds_best(self, given):
        try:
            return len(self.best(given)) > 0
        except pyagrum.FatalError:
            return False


class Pgmpy:
    def __init__(self, network):
        self.variables = network.variables
        self.inference = VariableElimination(mpf.to_pgmpy(network))

    def posterior(self, name, given):
        found = self.inference.query([name], evidence=given, show_progress=False)
        return dict(zip(found.state_names[name], found.values))

    def best(self, given):
        names = [name for name in self.variables if name not in given]
        return {**given, **self.inference.map_query(names, evidence=given, show_progress=False)}

    def finds_best(self, given):
        return math.prod(len(variable) for name, variable in self.variables.items() if name not in given) <= MOST_ENTRIES


def excess(network, program, given):
    """Returns how much mpf's explanation is more probable, as a difference of logarithms; several may be the best."""
    return network.best(given).log_value - network.log_evidence(program.best(given))


def microseconds(call, questions):
    """Returns the time of one call, from the least of three rounds of at least 50 ms, after a warm-up."""
    least = math.inf
    for seconds in (WARM_UP_SECONDS, 0.05, 0.05, 0.05):
        calls, begin = 0, time.perf_counter()
        while calls < QUESTIONS or time.perf_counter() - begin < seconds:
            call(*questions[calls % len(questions)])
            calls += 1
        least = min(least, 1e6 * (time.perf_counter() - begin) / calls)
    return least


def main(paths):
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    pyagrum.setNumberOfThreads(len(os.sched_getaffinity(0)))
    ratios = {"pyAgrum, posterior": [], "pgmpy, posterior": [], "pyAgrum, marginals": [], "pyAgrum, MPE": [],
              "pgmpy, MPE": []}
    print("| network | furthest answer | posterior: mpf | pyAgrum | pgmpy | marginals: mpf | pyAgrum "
          "| MPE: pyAgrum (times mpf) | pgmpy |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for path in paths:
        network = mpf.read(path)
        questions = questionsOf(network)
        ours, peers = Mpf(network), [PyAgrum(network), Pgmpy(network)]
        answers = [ours.posterior(*question) for question in questions]
        furthest = max(abs(answer[label] - found) for peer in peers
                       for question, answer in zip(questions, answers)
                       for label, found in peer.posterior(*question).items())
        explained = [[question for question in questions if peer.finds_best(question[1])] for peer in peers]
        furthest = max([furthest, *(excess(network, peer, given) for peer, asked in zip(peers, explained) for _, given in asked)])
        if not furthest < FURTHEST:
            raise SystemExit(f"{path}: answers differ by {furthest}")
        posterior = [microseconds(program.posterior, questions) for program in [ours, *peers]]
        marginals = [microseconds(lambda _, given, of=program: of.marginals(given), questions)
                     for program in [ours, peers[0]]]
        best = [[microseconds(lambda _, given, of=program: of.best(given), asked) for program in (ours, peer)]
                if asked else None for peer, asked in zip(peers, explained)]
        cells = [os.path.basename(path), f"{furthest:.0e}", *(f"{t:.1f}" for t in posterior + marginals),
                 *(f"{pair[1]:.1f} ({pair[1] / pair[0]:.0f})" if pair else "-" for pair in best)]
        print("| " + " | ".join(cells) + " |", flush=True)
        for found, pair in zip(ratios.values(), [*((posterior[0], peer) for peer in posterior[1:]), marginals, *best]):
            if pair:
                found.append(pair[1] / pair[0])
    for name, found in ratios.items():
        if found:
            print(f"{name}: {math.exp(np.mean(np.log(found))):.0f} times mpf's time (geometric mean of {len(found)}), "
                  f"least {min(found):.1f}")


if len(sys.argv) == 2 and os.path.isdir(sys.argv[1]):
    main([os.path.join(sys.argv[1], f"{name}.bif") for name in NETWORKS])
else:
    main(sys.argv[1:])
