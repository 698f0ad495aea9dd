"""mpfc within limits of the system: address space, data, control groups, committed memory of the machine.
Option --max-memory is not used.

usage: memory_limits.py MPFC [DATA] [--runs N] [--seed S] [--kinds as,data,group,told,commit]
                        [--table]
                        [--lists too|only|none] [--max-mib 800] [--max-work LOG2] [--seconds 60]

Models are the published ones of DATA (reference.json) and networks made here (make_network.py), each
with a task and 1 to 64 threads. There are also lists of cases over them, from CSV files and under swept
params, and bundles that answer such lists (questions.py). Each question first runs without a limit, then
within limits from small to large. The test fails if
  - a run has an exit code other than 0, 3 (refused) and 4 (late), or is refused without a message,
  - a run is refused although a smaller limit was enough,
  - an answer differs from that without a limit (log10 and marginals 1e-9).

Two runs at once in one group may not be killed either. The group is made inside the group of this
process, and removed at the end. If the machine allows no group, a line reports it, and `group` is left
out. Kind `told` is a group without a real limit (told_group.py): the test fails if a run takes more than
the limit. Kind `commit` limits the whole machine (overcommit.py), and is only tried on request.

--runs is the number of runs in all; without it each of a few models meets a few limits of each kind.

The last lines are the largest resident size over promised tables and 16 MiB, and that beside the
tables, median and worst.
"""
import argparse
import contextlib
import os
import random
import subprocess
import sys
import tempfile
import time

from control_group import ControlGroup
from measured_run import measuredRun, printHead, printRow
from overcommit import Overcommit
from questions import Question, listQuestions, makeNetworks, questions
from told_group import ToldGroup

LIMITERS = {"group": ControlGroup, "told": ToldGroup, "commit": Overcommit}
OK, REFUSED, LATE = 0, 3, 4
MIB = 2 ** 20
# The memory by which two runs may exceed a told group before it reports that. Its use is read every few
# milliseconds; the kernel would act at once. On a busy machine the excess has been 11 MiB.
TOLD_LAG_MIB = 32
FEW = ("grid_11_11.uai", "clique_18.uai", "bundle of star_2000 MAR", "grid_11_11 PR of",
       "chain_3000 MAR of")
PAIRED = ("clique_24.uai PR", "clique_18 MAR of", "star_2000 MAR of")


def parseArguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("mpfc")
    parser.add_argument("data", nargs="?")
    parser.add_argument("--runs", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", default="as,data,group,told")
    parser.add_argument("--max-mib", type=float, default=800)
    parser.add_argument("--max-work", type=float, default=25)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--lists", default="too", choices=("too", "only", "none"))
    parser.add_argument("--table", action="store_true")
    return parser.parse_args()


def confined(kind, limit, group):
    """Returns the words to put before a command: a shell that sets the limit and becomes the command."""
    if kind == "told":
        return group.prefix()
    if kind == "group":
        return ["sh", "-c", f"echo $$ > {group.folder}/cgroup.procs && exec \"$@\"", "sh"]
    if kind in ("", "commit"):
        return []
    option = {"as": "v", "data": "d"}[kind]
    return ["sh", "-c", f"ulimit -c 0; ulimit -{option} {limit // 1024} && exec \"$@\"", "sh"]


class Limited:
    """One run of mpfc under a limit of `kind` ("": none): code, answer, messages, peak bytes."""

    def __init__(self, question, threads, kind, limit, args, limiters):
        group = limiters.get(kind)
        meanwhile = group.limited(limit) if group else contextlib.nullcontext()
        with tempfile.TemporaryDirectory() as folder, meanwhile:
            out = os.path.join(folder, question.answerName)
            run = measuredRun([*confined(kind, limit, group), args.mpfc, "run", *question.options,
                               "--threads", str(threads), question.answerOption, out,
                               "--time-limit", str(args.seconds)])
            self.code, self.said, self.peak = run.code, run.err, round(run.peak_mib * MIB)
            self.answer = question.read(out) if self.code == OK else None
        self.own = group.most if kind == "told" else 0  # would have been killed beyond the limit


class Campaign:
    def __init__(self, args, limiters):
        self.args, self.limiters = args, limiters
        self.draw = random.Random(args.seed)
        self.kinds = [k for k in args.kinds.split(",")
                      if k in limiters or k not in LIMITERS]
        self.runs, self.answered, self.refused, self.late, self.failures = 0, 0, 0, 0, 0
        self.over = []  # largest resident size over the promised bytes
        self.used = []  # peak bytes of lists of cases, over the limit
        self.free = {}

    def fail(self, name, what):
        self.failures += 1
        print(f"{name}: {what}", flush=True)

    def unlimited(self, question):
        if question.name not in self.free:
            run = Limited(question, 2, "", 0, self.args, {})
            self.free[question.name] = run.answer
        return self.free[question.name]

    def limits(self, question, count):
        """Returns limits in MiB, ascending, as many small as large ones; for lists, limits that are
        about enough."""
        if question.isList:
            return sorted(round(self.draw.uniform(22, 70), 1) for _ in range(count))
        return sorted(round(self.args.max_mib ** self.draw.uniform(0.45, 1), 1)
                      for _ in range(count))

    def series(self, question, kind, threads, count):
        """Runs one question within limits from small to large. If a limit was enough, larger ones must
        be enough."""
        free = self.unlimited(question)
        if free is None:
            return
        enough = None
        for mib in self.limits(question, count):
            name = f"{question.name}, {threads} threads, {kind} {mib} MiB"
            run = Limited(question, threads, kind, int(mib * MIB), self.args, self.limiters)
            self.runs += 1
            if run.own > mib * MIB:
                self.fail(name, f"took {run.own / MIB:.1f} MiB")
            promised = question.promised(run.answer) if run.code == OK else 0
            if self.args.table:
                printRow(question.name, threads, kind, mib, run.code, promised, run.peak)
            if run.code == OK:
                self.answered += 1
                enough = enough or mib
                if question.isList:
                    self.used.append((run.peak / (mib * MIB), name))
                else:
                    self.over.append((run.peak - promised, run.peak / (promised + 16 * MIB), name))
                if what := question.differs(free, run.answer):
                    self.fail(name, what)
            elif run.code == REFUSED:
                self.refused += 1
                if enough:
                    self.fail(name, f"refused, {enough} MiB were enough: {run.said[-300:]}")
                if "error: " not in run.said:
                    self.fail(name, f"refused without a word: {run.said[-300:]}")
            elif run.code == LATE:
                self.late += 1
            else:
                self.fail(name, f"exit code {run.code}: {run.said[-300:]}")

    def pair(self, question, kind, mib):
        """Runs a question twice at once in one group. Each run finds all of the group's memory free."""
        group = self.limiters[kind]
        with group.limited(int(mib * MIB)):
            line = [*confined(kind, int(mib * MIB), group), self.args.mpfc, "run",
                    *question.options, "--threads", "1"]
            both = [subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                    for _ in range(2)]
            codes = [run.wait() for run in both]
        if kind == "told" and group.most > (mib + TOLD_LAG_MIB) * MIB:
            self.fail(f"{question.name}, two at once, told {mib} MiB",
                      f"took {group.most / MIB:.1f} MiB")
        self.runs += 2
        self.answered += codes.count(OK)
        self.refused += codes.count(REFUSED)
        if not {*codes} <= {OK, REFUSED}:
            self.fail(f"{question.name}, two at once, {kind} {mib} MiB", f"exit codes {codes}")

    def drawn(self, known):
        """Runs random questions within random limits, as many as were asked for."""
        while self.runs < self.args.runs:
            question = self.draw.choice(known)
            # The compiler is in the group as well.
            if self.draw.random() < 0.15 and not question.isList:
                question = Question(question.name, [*question.options, "--runs", "inf"])
            self.series(question, self.draw.choice(self.kinds),
                        self.draw.choice([1, 2, 3, 4, 8, 16, 64]), 8)

    def few(self, known):
        """Runs a few questions of each kind within a few limits of each kind."""
        for kind in self.kinds:
            for question in known:
                if any(word in question.name for word in FEW):
                    self.series(question, kind, self.draw.choice([1, 2, 16, 64]),
                                4 if question.isList else 6)

    def report(self):
        print(f"{self.runs} runs ({', '.join(self.kinds)}): {self.answered} answered, "
              f"{self.refused} refused, {self.late} late, {self.failures} failures")
        if self.over:
            shares = sorted(share for _, share, _ in self.over)
            beside = sorted(self.over)
            print(f"largest resident size over promised tables + 16 MiB: median "
                  f"{shares[len(shares) // 2]:.2f}, worst {shares[-1]:.2f}; beside the tables: median "
                  f"{beside[len(beside) // 2][0] / MIB:.1f} MiB, worst {beside[-1][0] / MIB:.1f} MiB "
                  f"({beside[-1][2]})")
        if self.used:
            used = sorted(self.used)
            print(f"lists of cases: {len(used)} answered; largest resident size over the limit: median "
                  f"{used[len(used) // 2][0]:.2f}, worst {used[-1][0]:.2f} ({used[-1][1]})")


def main():
    args = parseArguments()
    limiters = {}
    for kind in set(args.kinds.split(",")) & LIMITERS.keys():
        limiters[kind], why = LIMITERS[kind].make()
        if limiters[kind] is None:
            print(f"no limit of the kind {kind}: {why}")
            del limiters[kind]
    try:
        with tempfile.TemporaryDirectory() as folder:
            os.environ.setdefault("MPF_CACHE_DIR", os.path.join(folder, "cache"))
            campaign = Campaign(args, limiters)
            if args.table:
                printHead("model", "threads", "limit of", "MiB", "code", "promised", "resident")
            known = []
            if args.lists != "only":
                known += questions(args.data, args.max_work, folder)
            if args.lists != "none":
                makeNetworks(folder)
                known += listQuestions(args.mpfc, folder)
            start = time.monotonic()
            (campaign.drawn if args.runs else campaign.few)(known)
            for kind in {"group", "told"} & limiters.keys():
                for question in known:
                    if any(word in question.name for word in PAIRED):
                        for mib in (120, 240, 480):
                            campaign.pair(question, kind, mib)
            campaign.report()
            print(f"{time.monotonic() - start:.0f} s")
    finally:
        for limiter in limiters.values():
            limiter.remove()
    sys.exit(1 if campaign.failures or campaign.answered == 0 else 0)


main()
