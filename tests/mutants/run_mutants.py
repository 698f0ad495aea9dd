"""Counts how many mutants of the sources the tests notice.

usage: run_mutants.py TREE BUILD [--seed S] [--count N] [--jobs J] [--configure "OPTIONS"]
                      [--leave-out REGEX] [--mutant-seconds T] [--only NUMBER...] [--go-on]

TREE is a clone that may be overwritten. draw_mutants.py writes N mutants into it, all asleep. One build in
the folder BUILD holds them all. Others take the place of mutants that do not compile.

 1. every test runs once with no mutant awake, and the mutants that it reaches are noted;
 2. for each mutant the tests that reach it run with the mutant awake, the quickest first, until one fails.

A unit of work is one lit file, a share of one GoogleTest program, or one other test of CTest. A unit that
fails without mutants is left out. A mutant is noticed when a unit fails or takes ten times its time. It
survives when all units that reach it pass; `unknown` says that the units took T seconds before.

BUILD/mutants.jsonl has one line for each mutant that was judged. --go-on keeps these, the build and what
the tests reach, and judges the other mutants.
"""
import argparse
import concurrent.futures
import contextlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import draw_mutants

HERE = os.path.dirname(os.path.abspath(__file__))
MOST_DATA_BYTES = 12 << 30
MOST_FILE_BYTES = 1 << 30
TESTS_OF_A_SHARE = 8
MOST_SHARES = 24
LIT_FILES_AT_ONCE = 10
SLOWER_FAILS = 10  # times its own time
LEAST_LIMIT_S = 30
MOST_SECONDS = 900 # of a unit without mutants

PLACE_OF_ERROR = re.compile(r"^(?:\S*/)?((?:dsl|codegen|runtime|tools)/\S+\.cpp):(\d+):\d+: error", re.M)
GROUP_OF_ERROR = re.compile(r"^FAILED: (?:\[code=\d+\] )?(\S+/unity_\d+_cxx\.cxx)\.o", re.M)


def limits():
    os.setsid()
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_DATA_BYTES, MOST_DATA_BYTES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_FILE_BYTES, MOST_FILE_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Unit:
    """A command in a folder with an environment. It never runs twice at once, except for files of lit."""

    def __init__(self, name, command, folder, environment, lit_file=None):
        self.name, self.command, self.folder, self.environment = name, command, folder, environment
        self.lit_file = lit_file
        self.seconds, self.reached, self.lock = 0.0, set(), threading.Lock()


class Suite:
    """The tests of a build, cut into units."""

    def __init__(self, tree, build, leave_out):
        self.tree, self.build = tree, build
        listing = json.loads(subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"],
                                            capture_output=True, text=True, check=True).stdout)
        self.units, self.lit = [], None
        for test in listing["tests"]:
            name, command = test["name"], test.get("command")
            if not command or re.search(leave_out, name):
                continue
            properties = {p["name"]: p["value"] for p in test["properties"]}
            environment = dict(e.split("=", 1) for e in properties.get("ENVIRONMENT", []))
            folder = properties.get("WORKING_DIRECTORY", build)
            if name == "lit":
                self.lit = command[:2]
                self.units += self.litUnits()
            elif "--gtest_brief=1" in command:
                self.units += self.shares(name, command, folder, environment)
            else:
                self.units.append(Unit(name, command, folder, environment))

    def litUnits(self):
        listing = subprocess.run([*self.lit, "--show-tests", os.path.join(self.build, "tests")],
                                 capture_output=True, text=True, check=True).stdout
        files = re.findall(r"^  mpf :: (\S+)$", listing, re.M)
        return [Unit(f"lit {file}", None, self.build, {}, file) for file in files]

    @staticmethod
    def shares(name, command, folder, environment):
        listing = subprocess.run([*command, "--gtest_list_tests"], capture_output=True, text=True, cwd=folder,
                                 env={**os.environ, **environment}).stdout
        count = max(1, min(MOST_SHARES, len(re.findall(r"^  \S", listing, re.M)) // TESTS_OF_A_SHARE))
        return [Unit(f"{name} {i + 1}/{count}", command, folder,
                     {**environment, "GTEST_TOTAL_SHARDS": str(count), "GTEST_SHARD_INDEX": str(i)})
                for i in range(count)]


class Worker:
    """Runs units in folders of its own."""

    def __init__(self, suite, root):
        self.suite = suite
        self.root = tempfile.mkdtemp(prefix="worker_", dir=root)
        self.temporary = os.path.join(self.root, "tmp")
        os.mkdir(self.temporary)
        with open(os.path.join(self.root, "lit.site.cfg.py"), "w", encoding="utf-8") as file:
            file.write(f"""import os
lit_config.load_config(config, {os.path.join(suite.build, "tests/lit.site.cfg.py")!r})
config.test_exec_root = {self.root!r}
config.environment["XDG_CACHE_HOME"] = {os.path.join(self.root, "cache")!r}
for name in ("MPF_MUTANT", "MPF_MUTANT_LOG", "TMPDIR"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
""")

    def run(self, units, mutant=None, log=None):
        """Whether the units pass (units of lit may be many), and the seconds that they took."""
        environment = {**os.environ, **units[0].environment, "TMPDIR": self.temporary,
                       "TEST_TMPDIR": self.temporary, "MPF_TEST_ALONE": "1"}
        for name in ("MPF_MUTANT", "MPF_MUTANT_LOG"):
            environment.pop(name, None)
        if mutant is not None:
            environment["MPF_MUTANT"] = str(mutant)
        if log:
            environment["MPF_MUTANT_LOG"] = log
        limit = MOST_SECONDS
        if mutant is not None:
            limit = max(LEAST_LIMIT_S, SLOWER_FAILS * sum(u.seconds for u in units))
        command = units[0].command or [*self.suite.lit, "-q", "-j1", "--max-failures=1",
                                       *(os.path.join(self.root, u.lit_file) for u in units)]
        started = time.monotonic()
        with contextlib.ExitStack() as held:
            if units[0].command:
                held.enter_context(units[0].lock)
                started = time.monotonic()
            nothing = subprocess.DEVNULL
            process = subprocess.Popen(command, cwd=units[0].folder, env=environment, preexec_fn=limits,
                                       stdin=nothing, stdout=nothing, stderr=nothing)
            try:
                passed = process.wait(timeout=limit) in (0, 77)
            except subprocess.TimeoutExpired:
                passed = False
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        return passed, time.monotonic() - started


class Pool:
    """There are as many workers as jobs. Each call borrows one."""

    def __init__(self, suite, root, jobs):
        self.jobs = jobs
        self.free = [Worker(suite, root) for _ in range(jobs)]
        self.lock = threading.Lock()

    def map(self, call, items):
        """The results of call(worker, item) in the order of items."""
        def withWorker(item):
            with self.lock:
                worker = self.free.pop()
            try:
                return call(worker, item)
            finally:
                with self.lock:
                    self.free.append(worker)
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as threads:
            return list(threads.map(withWorker, items))


def buildAll(arguments):
    """Draws and builds until all mutants compile; returns them."""
    left_out = os.path.join(arguments.build, "left_out.txt")
    os.makedirs(arguments.build, exist_ok=True)
    without = set()
    for attempt in range(8):
        with open(left_out, "w", encoding="ascii") as file:
            file.writelines(f"{number}\n" for number in sorted(without))
        subprocess.run(["git", "-C", arguments.tree, "checkout", "-q", "--", *draw_mutants.FOLDERS], check=True)
        subprocess.run([sys.executable, os.path.join(HERE, "draw_mutants.py"), arguments.tree,
                        "--seed", str(arguments.seed), "--count", str(arguments.count), "--without", left_out],
                       check=True)
        with open(os.path.join(arguments.tree, "mutants.json"), encoding="utf-8") as file:
            mutants = json.load(file)
        if attempt == 0:
            subprocess.run(["cmake", "-S", arguments.tree, "-B", arguments.build, "-G", "Ninja",
                            *arguments.configure.split()], check=True, stdout=subprocess.DEVNULL)
        made = subprocess.run(["cmake", "--build", arguments.build, "-j", str(arguments.jobs), "--", "-k", "0"],
                              capture_output=True, text=True)
        if made.returncode == 0:
            return mutants
        wrong = set()
        for name, line in PLACE_OF_ERROR.findall(made.stdout):
            here = [m for m in mutants if m["file"] == name]
            near = [m for m in here if abs(m["line"] - int(line)) <= 2 + m["before"].count("\n")]
            wrong |= {m["number"] for m in near or here}
        if not wrong: # an error in a header, which a group of files includes: the mutants of that group go
            print("\n".join(re.findall(r"^.*(?:error|undefined).*$", made.stdout, re.M)[:20]), flush=True)
            for group in GROUP_OF_ERROR.findall(made.stdout):
                with open(os.path.join(arguments.build, group), encoding="utf-8") as file:
                    text = file.read()
                wrong |= {m["number"] for m in mutants if f"{m['file']}\"" in text}
        if not wrong:
            sys.exit("the build failed for another reason:\n" + made.stdout[-4000:])
        print(f"{len(wrong)} mutants do not compile: {sorted(wrong)}", flush=True)
        without |= wrong
    sys.exit("the build still fails")


def reach(pool, suite, root, kept):
    """Runs each unit once and notes what it reaches; returns the units that pass. `kept` is a file for both."""
    if os.path.exists(kept):
        with open(kept, encoding="utf-8") as file:
            known = json.load(file)
        for unit in suite.units:
            if unit.name in known:
                unit.seconds, unit.reached = known[unit.name][0], set(known[unit.name][1])
        return [u for u in suite.units if u.name in known]

    def once(worker, unit):
        log = os.path.join(root, f"reach_{id(unit)}")
        passed, unit.seconds = worker.run([unit], log=log)
        if os.path.exists(log):
            with open(log, "rb") as file:
                unit.reached = {i for i, byte in enumerate(file.read()) if byte}
            os.remove(log)
        return passed
    passed = pool.map(once, suite.units)
    failed = [u.name for u, good in zip(suite.units, passed) if not good]
    print(f"{len(suite.units)} units, {sum(u.seconds for u in suite.units):.0f} s; "
          f"{len(failed)} fail without mutants and are left out: {', '.join(failed[:40])}", flush=True)
    units = [u for u, good in zip(suite.units, passed) if good]
    with open(kept, "w", encoding="utf-8") as file:
        json.dump({u.name: [u.seconds, sorted(u.reached)] for u in units}, file)
    return units


def together(units):
    """The units in order of time; neighbours of lit share one call."""
    calls = []
    for unit in sorted(units, key=lambda u: (u.seconds, u.name)):
        if unit.lit_file and calls and calls[-1][0].lit_file and len(calls[-1]) < LIT_FILES_AT_ONCE:
            calls[-1].append(unit)
        else:
            calls.append([unit])
    return calls


def judge(pool, units, mutants, most_seconds, report):
    """Runs the tests of each mutant and appends the verdict to the report."""
    writing = threading.Lock()

    def one(worker, mutant):
        number = mutant["number"]
        reaching = [u for u in units if number in u.reached]
        spent, ran = 0.0, 0
        mutant.update(units=len(reaching), verdict="survived" if reaching else "not reached")
        for call in together(reaching):
            if spent > most_seconds:
                mutant["verdict"] = "unknown"
                break
            passed, seconds = worker.run(call, mutant=number)
            spent, ran = spent + seconds, ran + len(call)
            if not passed:
                mutant.update(verdict="noticed", by=call[0].name)
                break
        mutant.update(ran=ran, seconds=round(spent, 1))
        with writing, open(report, "a", encoding="utf-8") as file:
            file.write(json.dumps(mutant) + "\n")
    pool.map(one, mutants)


def readLines(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tree", type=os.path.abspath)
    parser.add_argument("build", type=os.path.abspath)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--configure", default="-DCMAKE_BUILD_TYPE=Release", help="options for CMake")
    parser.add_argument("--leave-out", default="^(layers|install|python|editor|bench[.]peers)",
                        help="tests of CTest")
    parser.add_argument("--mutant-seconds", type=float, default=600)
    parser.add_argument("--only", type=int, nargs="*", help="judge these mutants")
    parser.add_argument("--go-on", action="store_true", help="keep what an earlier call has found")
    arguments = parser.parse_args()

    started = time.monotonic()
    reached, report = (os.path.join(arguments.build, name) for name in ("reached.json", "mutants.jsonl"))
    if arguments.go_on:
        with open(os.path.join(arguments.tree, "mutants.json"), encoding="utf-8") as file:
            mutants = json.load(file)
    else:
        for path in (reached, report):
            with contextlib.suppress(FileNotFoundError):
                os.remove(path)
        mutants = buildAll(arguments)
        print(f"built in {time.monotonic() - started:.0f} s", flush=True)
    root = tempfile.mkdtemp(prefix="mpf_mutants_")
    try:
        suite = Suite(arguments.tree, arguments.build, arguments.leave_out)
        pool = Pool(suite, root, arguments.jobs)
        units = reach(pool, suite, root, reached)
        print(f"reached after {time.monotonic() - started:.0f} s", flush=True)
        done = {m["number"] for m in readLines(report)}
        judge(pool, units, [m for m in mutants if (m["number"] in arguments.only if arguments.only
                                                   else m["number"] not in done)],
              arguments.mutant_seconds, report)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    judged = list({m["number"]: m for m in readLines(report)}.values()) # the last verdict of each
    for mutant in judged:
        if mutant["verdict"] != "noticed":
            print("{verdict}: {number} {file}:{line} {kind}: {before!r} -> {after!r} "
                  "({ran} of {units} units, {seconds} s)".format(**mutant))
    noticed = sum(m["verdict"] == "noticed" for m in judged)
    print(f"{noticed} of {len(judged)} noticed, {time.monotonic() - started:.0f} s")


main()
