"""Runs many processes on one cache of kernels and one folder of results.

usage: many_processes.py MPFC [--seconds S] [--processes N]

The processes answer single questions and lists of cases, and make bundles that answer lists. Some are
killed. They run in two process namespaces, if those can be made, so that process numbers repeat as
between containers. Every answer and every file that is read must be whole and right, and nothing may
be left behind. Prints counts of the work; exit code 1 for a fault."""
import argparse
import collections
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

TRIANGLE = """param n = %d
var x, y, z : n
factor f(x, y) = 1 + (x < y)
factor g(y, z) = 1 + (y < z)
factor h(x, z) = 1 + (x < z)
query evidence
"""
SIZES = (17, 23, 40, 41)
ROWS = 3000
KILLED_SHARE = 0.05
RESULTS = [f"{kind}.{size}" for kind in ("result", "rows") for size in SIZES]
NAMESPACE = ["unshare", "--pid", "--fork", "--mount-proc"]


def worker(mpfc, folder, deadline, seed):
    """Runs one process after another, and prints a line of counts."""
    chance = random.Random(seed)
    counts = collections.Counter()
    wanted = {name: open(f"{folder}/{name.replace('.', '.wanted.')}").read() for name in RESULTS}
    environment = dict(os.environ, MPF_CACHE_DIR=f"{folder}/cache", TMPDIR=f"{folder}/tmp")
    while time.monotonic() < deadline:
        size = chance.choice(SIZES)
        kind = chance.random()
        name = f"{'rows' if kind > 0.7 else 'result'}.{size}"
        out = f"{folder}/out/{name}"
        if kind < 0.02:
            command = [mpfc, "cache", "clear"]
        elif kind > 0.9:
            command = [mpfc, "build", f"{folder}/model.{size}.mpf", "--cases",
                       f"{folder}/cases.{size}.csv", "-o", f"{folder}/out/bundle.{size}.mpfb"]
        elif kind > 0.7:
            model = chance.choice((f"model.{size}.mpf", f"out/bundle.{size}.mpfb"))
            command = [mpfc, "run", f"{folder}/{model}", "--device", "cpu", "--cases",
                       f"{folder}/cases.{size}.csv", "--threads", "2", "-o", out]
        else:
            command = [mpfc, "run", f"{folder}/model.{size}.mpf", "--device", "cpu", "--task", "PR",
                       "--runs", chance.choice(("1", "inf")), "--threads", "2", "-o", out]
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        if chance.random() < KILLED_SHARE:
            time.sleep(chance.random() * 0.4)
            process.kill()
        said = process.communicate()[1]
        if process.returncode not in (0, -signal.SIGKILL):
            counts["bad exit"] += 1
            print(f"# {command} ended with {process.returncode}: {said}", file=sys.stderr)
        counts["killed" if process.returncode else "right"] += 1
        if os.path.exists(out) and open(out).read() != wanted[name]:
            counts["wrong file"] += 1
            print(f"# {out} holds {open(out).read()!r}", file=sys.stderr)
    print(" ".join(f"{name.replace(' ', '_')}={count}" for name, count in counts.items()))


def prepare(mpfc, folder):
    for name in ("cache", "out", "tmp"):
        os.mkdir(f"{folder}/{name}", 0o700)
    for size in SIZES:
        with open(f"{folder}/model.{size}.mpf", "w") as file:
            file.write(TRIANGLE % size)
        with open(f"{folder}/cases.{size}.csv", "w") as file:
            file.write("x,y\n")
            file.writelines(f"{i % size},{'' if i % 3 else i // 3 % size}\n" for i in range(ROWS))
        run = [mpfc, "run", f"{folder}/model.{size}.mpf", "--device", "cpu"]
        cases = ["--cases", f"{folder}/cases.{size}.csv"]
        for command in ([*run, "--task", "PR", "--runs", "0.001",
                         "-o", f"{folder}/result.wanted.{size}"],
                        [*run, *cases, "-o", f"{folder}/rows.wanted.{size}"],
                        [mpfc, "build", *run[2:3], *cases,
                         "-o", f"{folder}/out/bundle.{size}.mpfb"]):
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def leftovers(mpfc, folder):
    """Returns the files that no process will use, and those of processes that were killed between the
    naming of a file and its move."""
    allowed = {*RESULTS, *(f"bundle.{size}.mpfb" for size in SIZES)}
    names = os.listdir(f"{folder}/out")
    stranded = [name for name in names if name.startswith(".mpf-")]
    left = [name for name in names if name not in allowed and name not in stranded]
    time.sleep(1)  # supervisors remove the folders of killed processes
    left += os.listdir(f"{folder}/tmp")
    subprocess.run([mpfc, "cache", "clear"], check=True, stdout=subprocess.DEVNULL,
                   env=dict(os.environ, MPF_CACHE_DIR=f"{folder}/cache"))
    left += os.listdir(f"{folder}/cache")
    return left, stranded


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mpfc")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--processes", type=int, default=12)
    parser.add_argument("--worker", nargs=3)
    arguments = parser.parse_args()
    if arguments.worker:
        folder, deadline, seed = arguments.worker
        return worker(arguments.mpfc, folder, float(deadline), int(seed))
    mpfc = os.path.abspath(arguments.mpfc)
    folder = tempfile.mkdtemp(prefix="mpf-many-")
    try:
        prepare(mpfc, folder)
        spaces = subprocess.run(NAMESPACE + ["true"], stderr=subprocess.DEVNULL).returncode == 0
        deadline = str(time.monotonic() + arguments.seconds)
        workers = [subprocess.Popen(
            (NAMESPACE if spaces else []) +
            [sys.executable, __file__, mpfc, "--worker", folder, deadline, str(seed)],
            stdout=subprocess.PIPE, text=True) for seed in range(arguments.processes)]
        counts = collections.Counter()
        for process in workers:
            for field in process.communicate()[0].split():
                name, count = field.split("=")
                counts[name] += int(count)
            counts["bad_exit"] += process.returncode != 0
        left, stranded = leftovers(mpfc, folder)
        print(f"{arguments.processes} workers for {arguments.seconds:.0f} s, "
              f"{'equal' if spaces else 'different'} process numbers: {counts['right']} runs right, "
              f"{counts['killed']} killed, {counts['wrong_file']} wrong files, "
              f"{counts['bad_exit']} bad exits, {len(left)} left behind {left[:5]}, "
              f"{len(stranded)} temporary files by kills")
        raise SystemExit(bool(counts["wrong_file"] or counts["bad_exit"] or left
                              or len(stranded) > counts["killed"] or not counts["right"]))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


main()
