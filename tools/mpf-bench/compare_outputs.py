"""Two versions of mpfc side by side: whether they print the same bytes for every model, stage and task.

usage: compare_outputs.py BEFORE AFTER FOLDER [--match TEXT] [--seconds N] [--jobs N] [--ignore-comments]

FOLDER is searched for models. Each is planned by a fixed number of rounds, so time changes nothing. It is
printed at every stage of STAGES, answers each task of RUNS, and chooses devices for each of CHOICES. Exit
code, output and messages are compared; with --ignore-comments, comments of CUDA text may differ. Commands
that take longer than N seconds with either version are counted. Each difference is a line; exit code 1
means that there is one.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

from programs import requireProgram

PLANNED = ["--plan-rounds", "2", "--max-memory", "256MiB", "--seed", "7"]
GPU = ["--target", "sm_90"]
LIST = ["--cases", "{cases}"]
STAGES = [["emit", "--emit=model"], ["emit", "--emit=simplified"],
          *(["emit", f"--emit={stage}", *more, *PLANNED] for stage, more in (
              ("plan", ["--task", "MAR"]), ("plan", ["--task", "MPE", "--type", "f32"]),
              ("kernel", ["--task", "MAR", *GPU]), ("cuda", ["--task", "PR", *GPU]),
              ("bundle", ["--task", "PR", *GPU]), ("schedule", ["--task", "PR", "--device", "gpu", *GPU]),
              ("lanes", ["--task", "MAR", *LIST])))]
RUNS = [["run", "--device", "cpu", *task, *PLANNED] for task in (
    ["--json", "-", "--task", "PR"], ["--json", "-", "--task", "MAR"],
    ["--json", "-", "--task", "MAR", "--type", "f32"], ["--json", "-", "--task", "MPE"],
    ["--task", "MAR", *LIST], ["--task", "MAR", "--engine", "tables", *LIST])]
# Which devices answer, as explain, schedules and runs say.
CHOICES = [*(["explain", "--json", "-", *more, *PLANNED] for more in (
               ["--task", "PR", *GPU], ["--task", "MAR"], ["--task", "MPE", "--device", "gpu", *GPU],
               ["--task", "MAR", "--schedule", "greedy", *GPU],
               ["--task", "MAR", "--runs", "1e9", *GPU], ["--task", "MAR", *GPU, *LIST])),
           *(["emit", "--emit=schedule", "--task", "MAR", "--schedule", *more, *GPU, *PLANNED] for more in (
               ["auto"], ["cpu"], ["gpu"], ["greedy"], ["acceleration"], ["auto", "--runs", "1e9"])),
           *(["run", "--json", "-", *more, *PLANNED] for more in (
               ["--task", "MAR"], ["--task", "PR", "--device", "gpu"], ["--task", "MAR", *LIST]))]
MODEL = re.compile(r"\.(mpf|uai|bif)(\.(gz|xz|zst))?$")
TIMES = re.compile(rb'"[a-z_]*(us|ms|seconds)": [-+.0-9e]+|[.0-9]+ (us|ms|s)\b')


# Comments of CUDA text, and its length in a bundle.
COMMENTS = re.compile(rb'\s*//[^\n]*|"source_bytes": \d+')


def output(program, words, seconds, cache, comments):
    """(exit code, output, messages) without measured times; None if it took too long."""
    environment = {**os.environ, "MPF_CACHE_DIR": cache}
    try:
        run = subprocess.run([program, *words], capture_output=True, check=False, timeout=seconds,
                             env=environment)
    except subprocess.TimeoutExpired:
        return None
    printed = run.stdout if comments else COMMENTS.sub(b"", run.stdout)
    return run.returncode, TIMES.sub(b"TIME", printed), TIMES.sub(b"TIME", run.stderr)


def compare(programs, words, options):
    results = [output(program, words, options.seconds, cache, not options.ignore_comments)
               for program, cache in programs]
    if None in results:
        return "skipped", words
    if results[0] != results[1]:
        return "different", words
    return ("refused" if results[0][0] else "same"), words


def modelsBelow(folder, match):
    for where, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            path = os.path.join(where, name)
            if MODEL.search(name) and match in path:
                yield path


def casesOf(program, model, folder):
    """A file of three cases that set the model's first variable: its first two states, and none."""
    printed = subprocess.run([program, "emit", "--emit=model", model], capture_output=True, text=True,
                             check=False)
    variable = re.search(r"^var (\S+) extent=\d+ ?(.*)$", printed.stdout, re.MULTILINE)
    name, labels = variable.groups() if variable else ("x0", "")
    cells = [f'"{label}"' for label in labels.split()[:2]] or ["0", "1"]
    path = os.path.join(folder, f"{len(os.listdir(folder))}.csv")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join([f'"{name}"', *cells, '""', ""]))
    return path


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("folder")
    parser.add_argument("--match", default="")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--ignore-comments", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    counts = {"same": 0, "refused": 0, "different": 0, "skipped": 0}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        programs = [(requireProgram(os.path.abspath(program), "BEFORE and AFTER are two builds of mpfc"),
                     os.path.join(folder, name))
                    for name, program in (("before", options.before), ("after", options.after))]
        work = []
        for model in modelsBelow(options.folder, options.match):
            cases = casesOf(programs[0][0], model, folder)
            work += [[words[0], model, *(word.format(cases=cases) for word in words[1:])]
                     for words in STAGES + RUNS + CHOICES]
        for verdict, words in pool.map(lambda words: compare(programs, words, options), work):
            counts[verdict] += 1
            if verdict == "different":
                print("different: mpfc", " ".join(words), flush=True)
    print(f"{counts['same']} the same, {counts['refused']} refused by both, {counts['different']} different, "
          f"{counts['skipped']} took too long")
    sys.exit(counts["different"] > 0 or counts["same"] == 0)


main()
