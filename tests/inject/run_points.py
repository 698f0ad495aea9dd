"""Tries every point of every scenario, one fault at a time.

usage: run_points.py --build FOLDER [--all | --sample N] [--jobs N] [--scenario NAME ...]
       [--kind KIND ...] [--sites] [--seed N] [--spec KIND:NUMBER:HOW]
       [--seconds N] [--skip N] [--timeout SECONDS]

--seconds: the time after which the remaining points are left out. Points come in a random order.

--timeout: a command that takes longer counts as a hang. Choose more than the default on a busy machine.

--skip: leaves out the first N points in that order, which another run has tried.

--sites: tries only the first call from each place (call stack). If several scenarios with the same
expected exit code reach a place, only the first of them tries it.

The last line counts the faults. README.md explains points.
"""
import argparse
import collections
import concurrent.futures
import dataclasses
import itertools
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

import judge
from errors import waysOf
from gpu_judge import GpuJudge
from known_faults import isKnown
from scenarios import scenariosOf
from world import TIMEOUT_S, World

HERE = os.path.dirname(os.path.abspath(__file__))


@dataclasses.dataclass(frozen=True)
class Point:
    scenario: str
    kind: str
    number: int
    way: tuple
    where: str = "self"

    @property
    def spec(self):
        return f"{self.kind}:{self.number}{self.way[0]}:{self.way[1]}"


def readArguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=os.path.join(HERE, "..", "..", "build"))
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--sample", type=int, default=400)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--scenario", nargs="*", default=[])
    parser.add_argument("--kind", nargs="*", default=[])
    parser.add_argument("--not-kind", nargs="*", default=[])
    parser.add_argument("--sites", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=math.inf)
    parser.add_argument("--timeout", type=int, default=TIMEOUT_S)
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--spec")
    return parser.parse_args()


class Setup:
    """The objects that each worker has for itself."""

    def __init__(self, build, folder, name, timeout):
        tests = os.path.join(os.path.abspath(build), "tests", "inject")
        mpfc = os.path.join(os.path.abspath(build), "tools", "mpfc")
        mpfc = os.path.join(mpfc, "mpfc") if os.path.isdir(mpfc) else mpfc
        own = os.path.join(folder, name)
        os.makedirs(own)
        self.world = World(own, os.path.join(HERE, "models"), os.path.join(folder, "store"),
                           timeout)
        self.library = os.path.join(tests, "libmpf_inject.so")
        self.judge = judge.Judge(self.world, self.library)
        driver = os.path.join(tests, "..", "support", "libmpf_fake_cuda.so")
        self.gpuJudge = GpuJudge(self.world, driver)
        self.scenarios = {s.name: s
                          for s in scenariosOf(mpfc, os.path.join(tests, "inject_host"), driver)
                          if not s.needs or os.path.exists(s.needs)}

    def tryPoint(self, point):
        scenario = self.scenarios[point.scenario]
        return (self.gpuJudge if scenario.gpu else self.judge).tryPoint(scenario, point)


setup = None


def startWorker(build, folder, timeout, gpuStarts):
    global setup
    setup = Setup(build, folder, f"worker{os.getpid()}", timeout)
    setup.gpuJudge.starts = gpuStarts  # kernels take long to compile


def work(points, end):
    if time.monotonic() > end:
        return []
    return [(point, *setup.tryPoint(point)) for point in points]


def countCalls(own, scenario, where, seen):
    """Returns the numbers of the calls to try, by kind: all, or those of places that are not in
    `seen`."""
    before, _, _ = own.judge.prepare(scenario)
    own.world.restore(before)
    counts = os.path.join(own.world.folder, "counts")
    if os.path.exists(counts):
        os.unlink(counts)
    own.judge.runScenario(scenario, {"LD_PRELOAD": own.library, "MPF_INJECT": "count",
                                     "MPF_INJECT_IN": where, "MPF_INJECT_COUNTS": counts})
    numbers = collections.defaultdict(set)
    if not os.path.exists(counts):
        return numbers
    with open(counts, encoding="ascii") as file:
        for line in file:
            words = line.split()
            if words[0] == "site" and seen is not None:
                place = scenario.code, where, words[1], words[3]
                if place not in seen:
                    numbers[words[1]].add(int(words[2]))
                seen.add(place)
            elif words[0] != "site" and seen is None:
                numbers[words[0]].update(range(1, int(words[1]) + 1))
    return numbers


def pointsOf(own, scenario, arguments, seen):
    if scenario.gpu:
        if os.path.exists(own.gpuJudge.fixed["MPF_LIBCUDA"]):
            for number, way in own.gpuJudge.specs(scenario):
                yield Point(scenario.name, "cuda", number, way)
        return
    for where in ("self", "child") if scenario.forks else ("self",):
        for kind, numbers in sorted(countCalls(own, scenario, where, seen).items()):
            if arguments.kind and kind not in arguments.kind or kind in arguments.not_kind:
                continue
            for number, way in itertools.product(sorted(numbers), waysOf(kind)):
                yield Point(scenario.name, kind, number, way, where)


def placeOf(stack):
    """The innermost functions at the point and, after `//`, where the process gave up."""
    return " // ".join(filter(None, map(namesOf, stack.split("--\n"))))


def namesOf(stack):
    """Returns the names of a stack's functions: those that the libraries export, else those that
    addr2line finds."""
    frames = re.findall(r"^(\S+?)\(([^)+]*)\+(0x[0-9a-f]+)\)", stack, re.MULTILINE)
    named = []
    for program, symbol, address in frames:
        if "libmpf_inject" in program:
            continue
        if not symbol and shutil.which("addr2line"):
            said = subprocess.run(["addr2line", "-Cfe", program, address], capture_output=True,
                                  text=True).stdout.splitlines()
            symbol = re.sub(r"\(.*", "", said[0]) if said else ""
        if symbol not in ("", "??"):
            named.append(symbol)
    return " < ".join(named[:12])


def report(point, faults, stack, totals):
    """Counts and prints; returns how many of the faults are known."""
    place = placeOf(stack) if faults else ""
    known = 0
    for kind, words in faults:
        if isKnown(kind, place):
            known += 1
            continue
        totals[kind] += 1
        print(f"{kind}: {point.scenario} {point.where} {point.spec}: {words}\n    {place}",
              flush=True)
    return known


def choose(own, arguments):
    """All points, or a sample with the same number from every scenario; the same one for a seed."""
    every = []
    seen = set() if arguments.sites else None
    chosen = len(arguments.scenario) or len(own.scenarios)
    for scenario in own.scenarios.values():
        if arguments.scenario and scenario.name not in arguments.scenario:
            continue
        try:
            points = list(pointsOf(own, scenario, arguments, seen))
        except judge.NotHere as problem:
            print(f"{scenario.name}: {problem}")
            continue
        print(f"{scenario.name}: {len(points)} points", flush=True)
        if not arguments.all:
            points = random.Random(f"{arguments.seed} {scenario.name}").sample(
                points, min(len(points), arguments.sample // chosen))
        every += points
    random.Random(arguments.seed).shuffle(every)  # the slow ones not all at the end
    return every[arguments.skip:]


def main():
    arguments = readArguments()
    started = time.monotonic()
    totals = collections.Counter()
    tried = reached = known = 0
    with tempfile.TemporaryDirectory(prefix="inject-") as folder:
        own = Setup(arguments.build, folder, "first", arguments.timeout)
        points = choose(own, arguments)
        if arguments.spec:
            kind, number, how = arguments.spec.split(":")
            way = (number[-1] if number[-1] in "+~" else "", how)
            points = [Point(s, kind, int(number.rstrip("+~")), way) for s in arguments.scenario]
        groups = [points[i:i + 10] for i in range(0, len(points), 10)]
        with concurrent.futures.ProcessPoolExecutor(
                arguments.jobs, initializer=startWorker,
                initargs=(arguments.build, folder, arguments.timeout, own.gpuJudge.starts)) as pool:
            for group in pool.map(work, groups, itertools.repeat(started + arguments.seconds)):
                for point, wasReached, faults, stack in group:
                    tried += 1
                    reached += wasReached
                    known += report(point, faults, stack, totals)
    said = ", ".join(f"{kind} {totals[kind]}" for kind in judge.KINDS)
    print(f"{tried} of {len(points)} points ({reached} reached) in {time.monotonic() - started:.0f} s: {said}; "
          f"{known} known")
    sys.exit(1 if totals else 0)


if __name__ == "__main__":
    main()
