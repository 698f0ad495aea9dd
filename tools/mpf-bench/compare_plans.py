"""Compares plans of two versions of mpfc: the search for an order and the predicted runs.

usage: compare_plans.py BEFORE AFTER MODEL[:TASK,TASK] ... [--devices cpu,gpu] [--runs 1,100]
                        [--same-rounds] [--step-us 0.0035]

Nothing is run or timed: steps of the search are counted, at the price of --step-us each, and runs
are predicted from the whole program (`mpfc explain`). Prints the search and the expected runs of
both, their quotient, and geometric means by device and expected runs. --same-rounds: BEFORE searches
as many rounds as AFTER did, so that only the choice among orders differs. Tasks: PR, MAR and MPE.
"""
import argparse
import json
import math
import re

from programs import outputOf, requireProgram

UNITS = {"": 1, " k": 1e3, " M": 1e6, " G": 1e9}
MOST_MEMORY = "16GiB"


def parseArguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("models", nargs="+")
    parser.add_argument("--devices", default="cpu,gpu")
    parser.add_argument("--runs", default="1,100")
    parser.add_argument("--same-rounds", action="store_true")
    parser.add_argument("--step-us", type=float, default=0.0035)
    return parser.parse_args()


def explain(program, model, task, device, runs, rounds=None):
    """(rounds, steps, microseconds of one run)."""
    words = [program, "explain", model, "--task", task, "--device", device, "--threads", "2"]
    words += ["--runs", str(runs), "--max-memory", MOST_MEMORY, "--json", "-"]
    if rounds is not None:
        words += ["--plan-rounds", str(rounds)]
    query = json.loads(outputOf(words))["queries"][0]
    phases = {(p["device"], p["phase"]): p for p in query["phases"]}
    why = phases["cpu", "planning"]["why"]
    found = re.search(r"(\d+) rounds of search in ([\d.]+)( [kMG])? steps", why)
    steps = float(found[2]) * UNITS[found[3] or ""]
    target = "cpu" if device == "cpu" else query["target"]
    return int(found[1]), steps, phases[target, "running"]["time_us"]


def compare(words):
    means = {}
    for word in words.models:
        model, _, tasks = word.partition(":")
        for task in (tasks or "PR,MAR,MPE").split(","):
            for device in words.devices.split(","):
                for runs in map(int, words.runs.split(",")):
                    case = (model, task, device, runs)
                    after = explain(words.after, *case)
                    rounds = after[0] if words.same_rounds else None
                    before = explain(words.before, *case, rounds)
                    totals = [p[1] * words.step_us + runs * p[2] for p in (before, after)]
                    ratio = totals[1] / totals[0]
                    means.setdefault((device, runs), []).append(ratio)
                    figures = [f"{p[1] * words.step_us / 1e3:.2f}, {p[2] / 1e3:.2f}"
                               for p in (before, after)]
                    name = model.rsplit("/", 1)[-1].partition(".")[0]
                    print(f"| {name} {task} | {device}, {runs} | {figures[0]} | {figures[1]} "
                          f"| {ratio:.2f} |", flush=True)
    return means


def main():
    words = parseArguments()
    for program in (words.before, words.after):
        requireProgram(program, "BEFORE and AFTER are two builds of mpfc")
    print("| network, task | device, runs | search, run before (ms) | search, run now "
          "| total now/before |\n| --- | --- | --- | --- | --- |")
    for (device, runs), ratios in sorted(compare(words).items()):
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        above = sum(ratio > 1.05 for ratio in ratios)
        print(f"\n{device}, {runs} runs: geometric mean {mean:.3f}, {above} of {len(ratios)} above "
              f"1.05, the worst {max(ratios):.2f}")


if __name__ == "__main__":
    main()
