"""Networks that dense tables cannot hold are refused, exit code 3 and the reason, in time.

usage: plan_budget.py MPFC [DATA] [--times 0.05,0.5,2] [--max-memory 16GiB,1MiB] [--slack 0.5]
                      [--names SUBSTRING] [--command run] [--clock processor]

The networks are all counting instances of DATA (family wmc) and some far larger generated CNFs. Each runs
as a whole process of `mpfc run`, with a time for the search and a bound for the tables. A process that
answers may take longer, because the run is not part of the search. A refused process must end within the
plan time plus --slack seconds, and report the memory that is needed. Exit code 1 if one does not.

Processes have one thread, so that processor time (--clock processor) equals the wall-clock time of a
machine without other work.
"""
import argparse
import os
import re
import tempfile

import make_network
from measured_run import instanceOptions, instances, measuredRun, printHead, printRow

GENERATED = [("cnf", 200, 700, 3), ("cnf", 500, 2000, 3), ("cnf", 2000, 8000, 3),
             ("cnf", 10000, 42000, 3), ("cnf", 20000, 84000, 3), ("cnf", 1000, 3000, 7),
             ("grid", 60, 60), ("clique", 300)]
ANSWERED, REFUSED = 0, 3


def parseArguments():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("mpfc")
    parser.add_argument("data", nargs="?")
    parser.add_argument("--times", default="0.05,0.5,2")
    parser.add_argument("--max-memory", default="16GiB,1MiB")
    parser.add_argument("--slack", type=float, default=0.5)
    parser.add_argument("--names", default="")
    parser.add_argument("--command", default="run")
    parser.add_argument("--clock", choices=("wall", "processor"), default="wall")
    return parser.parse_args()


class Budget:
    def __init__(self, args):
        self.args = args
        self.failures = 0
        self.refusals = 0
        printHead("network", "bound", "plan time", "exit", "wall s", "processor s", "reason")

    def tryOne(self, name, command):
        for bound in self.args.max_memory.split(","):
            for time in self.args.times.split(","):
                options = ["--plan-time", time, "--max-memory", bound, "--threads", "1"]
                if self.args.command == "run":
                    options += ["--device", "cpu"]
                run = measuredRun([self.args.mpfc, self.args.command, *command, *options], 120)
                reason = ""
                wrong = run.code not in (ANSWERED, REFUSED)
                if run.code == REFUSED:
                    self.refusals += 1
                    found = re.search(r"needs at least (.*?) of memory", run.err)
                    reason = found.group(0) if found else run.err.strip()[-200:]
                    late = getattr(run, self.args.clock) > float(time) + self.args.slack
                    wrong = late or not found
                    reason += " LATE" if late else ""
                self.failures += wrong
                if run.code != ANSWERED or wrong:
                    printRow(name, bound, time, run.code, f"{run.wall:.2f}",
                             f"{run.processor:.2f}", reason)


def main():
    args = parseArguments()
    budget = Budget(args)
    if args.data:
        for name, entry in instances(args.data):
            if name.startswith("wmc/") and args.names in name:
                budget.tryOne(name, instanceOptions(args.data, entry))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "n.uai")
        for kind, *sizes in GENERATED:
            name = f"{kind} {' '.join(map(str, sizes))}"
            if args.names in name:
                make_network.writeNetwork(path, kind, sizes)
                budget.tryOne(name, [path, "--task", "PR", "--evidence", "none"])
    print(f"{budget.refusals} refused, {budget.failures} wrong or late")
    raise SystemExit(1 if budget.failures else 0)


main()
