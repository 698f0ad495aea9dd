"""Measures first runs: whole processes of mpfc, by default, on one thread, and within less memory.

usage: first_runs.py MPFC NETWORK... [--tasks PR,MAR,MPE] [--before MPFC] [--least-ms 20] [--most-ms 2000]
                     [--seconds 150] [--pause 20] [--paused 2]

A NETWORK is a file, or a folder of .uai files. The ways are the default, --threads 1, and --max-memory at
shares of the peak of the plan: a half, a quarter and an eighth. A way that is refused has no time. Each process
is a new one, on the CPU. The ways take turns, so the machine has just used about the same memory. Ways that take
twice the time of the default run once. Then the --paused networks with the largest peaks run again, after pauses
of so many seconds: by default, on one thread, and within the fastest of the shares. Times are medians in
milliseconds, peaks are resident sizes in MiB. Only networks whose default takes --least-ms to --most-ms count.
The last table has the targets.
"""
import argparse
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

from programs import end, measuredRun, outputOf, requireProgram

SHARES = (2, 4, 8)
NO_PROGRAM = "MPFC is a build of mpfc, as build/tools/mpfc/mpfc"
MIB = 2.0**20
MOST_ROUNDS, LEAST_ROUNDS = 9, 3
SLOW = 2  # ways that take so many times the default are measured once
MOST_RATIO, FEW_PERCENT = 1.15, 1.1
HEADS = ["network, task", "peak", "first run predicted", "measured", "default", "one thread",
         *(f"1/{share}" for share in SHARES), "before", "default/best", "resident", "least resident"]


class Case:
    """A network and a task, with all that was measured."""

    def __init__(self, path, task):
        self.path, self.task = path, task
        self.name = f"{os.path.basename(path).rsplit('.uai', 1)[0]} {task}"
        self.peakBytes = self.predictedUs = None
        self.measuredUs = []
        self.ways = {}  # words of the command by name, the default first
        self.times, self.peaks = {}, {}  # lists of seconds, and bytes, by way

    def time(self, way):
        return statistics.median(self.times[way])

    def rivals(self):
        """The ways but the default and the program before."""
        return [way for way in self.times if way not in ("default", "before")]

    def overBest(self):
        """Time of the default over that of the best rival; None: all are refused."""
        return self.time("default") / min(map(self.time, self.rivals())) if self.rivals() else None

    def leastPeak(self):
        """The least peak of the ways that take at most FEW_PERCENT of the time of the default."""
        most = FEW_PERCENT * self.time("default")
        return min(self.peaks[way] for way in ["default", *self.rivals()] if self.time(way) <= most)


class Bench:
    def __init__(self, words, folder):
        self.words, self.folder = words, folder
        self.caches = {}
        self.speeds = set()  # where predictions come from

    def environment(self, program):
        """Each program has a cache of its own, in which it keeps its look at the machine."""
        cache = self.caches.setdefault(program, os.path.join(self.folder, f"cache{len(self.caches)}"))
        return {**os.environ, "MPF_CACHE_DIR": cache}

    def run(self, command):
        """(exit status, seconds)"""
        return measuredRun(command, self.environment(command[0]), errors=subprocess.DEVNULL)[:2]

    def peakOf(self, command):
        """Peak bytes of a process, asked for while it runs: the system's count begins with those of this one. A
        process that ends before it is asked runs again."""
        peak = 0
        while peak == 0:
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                       env=self.environment(command[0]))
            while process.poll() is None:
                with open(f"/proc/{process.pid}/status", encoding="utf-8") as file:
                    found = re.search(r"^VmHWM:\s+(\d+) kB", file.read(), re.MULTILINE)
                if found:  # it is gone when the process ends
                    peak = max(peak, 1024 * int(found[1]))
                time.sleep(0.0005)
        return peak

    def find(self, path, task):
        """The case, or None if it takes too short or too long."""
        case = Case(path, task)
        asked = [path, "--task", task, "--device", "cpu"]
        case.ways["default"] = [self.words.program, "run", *asked]
        seconds = []
        while len(seconds) < 2 and (not seconds or 1e3 * seconds[0] < self.words.most_ms):
            status, took = self.run(case.ways["default"])
            if status != 0:
                print(f"{case.name} ended with {status}", file=sys.stderr)
                return None
            seconds.append(took)
        if not self.words.least_ms <= 1e3 * min(seconds) <= self.words.most_ms:
            return None
        said = outputOf([self.words.program, "explain", *asked, "--json", "-"],
                        self.environment(self.words.program))
        query = json.loads(said)["queries"][0]
        case.peakBytes = query["memory"]["peak_bytes"]
        planning = next(phase for phase in query["phases"] if phase["phase"] == "planning")
        case.predictedUs = query["first_time_us"] - planning["time_us"]
        self.speeds.add(query["speeds"])
        case.ways["one thread"] = [*case.ways["default"], "--threads", "1"]
        for share in SHARES:
            case.ways[f"1/{share}"] = [*case.ways["default"], "--max-memory", str(case.peakBytes // share)]
        if self.words.before:
            case.ways["before"] = [self.words.before, *case.ways["default"][1:]]
        return case

    def time(self, case, way):
        """Times one process; False if it is refused."""
        status, seconds = self.run(case.ways[way])
        if status == 0:
            case.times.setdefault(way, []).append(seconds)
        return status == 0

    def timeFirstRun(self, case):
        """Reads the time of the run from the answers of one process. Returns the seconds of that process."""
        answers = os.path.join(self.folder, "answers.json")
        status, seconds = self.run([*case.ways["default"], "--json", answers])
        if status != 0:
            end(f"{case.name} ended with {status}, after it had been answered")
        with open(answers, encoding="utf-8") as file:
            timings = json.load(file)[0]["timings"]
        case.measuredUs.append(timings["bind_us"] + timings["run_us"])
        return seconds

    def measure(self, case, seconds):
        """Times all ways in turn for about so many seconds."""
        began = time.monotonic()
        goOn = [way for way in case.ways if self.time(case, way)]
        if "default" not in goOn:
            end(f"{case.name} is refused, after it had been answered")
        self.timeFirstRun(case)
        case.peaks = {way: self.peakOf(case.ways[way]) for way in goOn}
        goOn = [way for way in goOn if case.times[way][0] <= SLOW * case.times["default"][0]]
        for round_ in range(1, MOST_ROUNDS):
            if round_ >= LEAST_ROUNDS and time.monotonic() - began > seconds:
                break
            first = round_ % len(goOn)
            for way in goOn[first:] + goOn[:first]:
                self.time(case, way)
            self.timeFirstRun(case)

    def measurePaused(self, case):
        """A case with one time of the default, of one thread, and of the fastest way in less memory, each after a
        pause."""
        paused = Case(case.path, case.task)
        paused.ways, paused.peaks = case.ways, case.peaks
        paused.peakBytes, paused.predictedUs = case.peakBytes, case.predictedUs
        bounded = [way for way in case.rivals() if way != "one thread"]
        for way in ("one thread", *([min(bounded, key=case.time)] if bounded else [])):
            time.sleep(self.words.pause)
            self.time(paused, way)
        time.sleep(self.words.pause)
        paused.times["default"] = [self.timeFirstRun(paused)]
        return paused


def tableRow(case):
    def of(way):
        return f"{1e3 * case.time(way):.1f}" if way in case.times else "-"
    ways = ("default", "one thread", *(f"1/{share}" for share in SHARES), "before")
    over = case.overBest()
    cells = [case.name, f"{case.peakBytes / MIB:.1f}", f"{case.predictedUs / 1e3:.1f}",
             f"{statistics.median(case.measuredUs) / 1e3:.1f}", *map(of, ways),
             "-" if over is None else f"{over:.2f}", f"{case.peaks['default'] / MIB:.1f}",
             f"{case.leastPeak() / MIB:.1f}"]
    print(f"| {' | '.join(cells)} |", flush=True)


def head(cells):
    print(f"| {' | '.join(cells)} |\n|{' --- |' * len(cells)}", flush=True)


def geometricMean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def printTargets(cases, title):
    if not cases:
        return
    print(f"\n{title}: {len(cases)} networks and tasks\n")
    head(["what", "target", "found"])
    errors = sorted(max(ratio, 1 / ratio) for ratio in
                    (case.predictedUs / statistics.median(case.measuredUs) for case in cases))
    ninth = errors[math.ceil(0.9 * len(errors)) - 1]
    print(f"| first run predicted over measured, either way: median; nine of ten within | 1.3; 2 "
          f"| {statistics.median(errors):.2f}; {ninth:.2f} |")
    over = sorted(((case.overBest(), case.name) for case in cases if case.rivals()), reverse=True)
    above = [f"{name} {ratio:.2f}" for ratio, name in over if ratio > MOST_RATIO]
    if over:  # else all other ways are refused
        print(f"| default over the best way: greatest | {MOST_RATIO} | {over[0][0]:.2f}; above: {len(above)} of "
              f"{len(over)}{': ' if above else ''}{', '.join(above)} |")
        print(f"| default over the best way: geometric mean | - | {geometricMean([r for r, _ in over]):.3f} |")
    sizes = [case.peaks["default"] / case.leastPeak() for case in cases]
    print(f"| resident size over the least within {FEW_PERCENT} of the time: geometric mean | 1.5 "
          f"| {geometricMean(sizes):.2f} |")
    gains = [case.time("before") / case.time("default") for case in cases if "before" in case.times]
    if gains:
        print(f"| the default before over now: geometric mean; least; greatest | - | "
              f"{geometricMean(gains):.3f}; {min(gains):.2f}; {max(gains):.2f} |")
    sys.stdout.flush()


def parseArguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("networks", nargs="+")
    parser.add_argument("--tasks", default="PR,MAR,MPE")
    parser.add_argument("--before")
    parser.add_argument("--least-ms", type=float, default=20)
    parser.add_argument("--most-ms", type=float, default=2000)
    parser.add_argument("--seconds", type=float, default=150)
    parser.add_argument("--pause", type=float, default=20)
    parser.add_argument("--paused", type=int, default=2)
    words = parser.parse_args()
    words.program = requireProgram(os.path.abspath(words.program), NO_PROGRAM)
    words.before = words.before and requireProgram(os.path.abspath(words.before), NO_PROGRAM)
    return words


def filesOf(networks):
    for path in networks:
        names = sorted(os.listdir(path)) if os.path.isdir(path) else None
        yield from [path] if names is None else (os.path.join(path, n) for n in names if n.endswith(".uai"))


def main():
    words = parseArguments()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(words, folder)
        found = [bench.find(path, task) for path in filesOf(words.networks) for task in words.tasks.split(",")]
        cases = list(filter(None, found))
        print(f"{len(cases)} of {len(found)} networks and tasks take {words.least_ms:g} to {words.most_ms:g} ms, "
              f"on {len(os.sched_getaffinity(0))} cores; predictions by speeds: {', '.join(sorted(bench.speeds))}\n")
        head(HEADS)
        ends = time.monotonic() + words.seconds
        for i, case in enumerate(cases):
            bench.measure(case, (ends - time.monotonic()) / (len(cases) - i))
            tableRow(case)
        printTargets(cases, "On a machine that has just run the same")
        largest = sorted(cases, key=lambda case: case.peakBytes, reverse=True)[:words.paused]
        if not largest:
            return
        print(f"\nAfter pauses of {words.pause:g} s:\n")
        head(HEADS)
        paused = [bench.measurePaused(case) for case in largest]
        for case in paused:
            tableRow(case)
        printTargets(paused, f"After pauses of {words.pause:g} s")


if __name__ == "__main__":
    main()
