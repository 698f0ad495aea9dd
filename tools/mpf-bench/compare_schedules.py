"""Compares the time of `--device auto` with the best of the CPU, the GPU and the greedy schedule.

usage: compare_schedules.py predicted MPFC PATH... [--tasks PR,MAR,MPE] [--threads 1,2,16] [--runs 1]
                            [--target sm_90] [--worst 10]
       compare_schedules.py measured NETWORKS.json [--open-us 300000] [--runs 100] [--worst 10]

predicted: each network (.uai and .mpf files, below folders too) is planned by `mpfc explain` for the CPU,
for the GPU and for either. Nothing runs, so no GPU is needed. A run is compared with its share of opening the
GPU and of planning. measured: compares the times in a report that a machine with a GPU wrote,

    mpf-bench networks PATH... --devices cpu gpu greedy auto --threads 1 2 16 --expected-runs 100 --no-cold \\
        --json NETWORKS.json

where a solver that used the GPU has its share of --open-us added to the run. `mpf-bench draw-networks FOLDER
--set gems-trees` draws random trees of the Gems chapter. Prints, by threads and runs, the geometric mean of
auto over the best of the others, the number above 1.05, and the worst.
"""
import argparse
import json
import math
import pathlib

from programs import outputOf, requireMpfc

ENDINGS = (".uai", ".uai.xz", ".mpf")


def parseArguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("mode", choices=["predicted", "measured"])
    parser.add_argument("words", nargs="+")
    parser.add_argument("--tasks", default="PR,MAR,MPE")
    parser.add_argument("--threads", default="1,2,16")
    parser.add_argument("--runs", default=None)
    parser.add_argument("--target", default="sm_90")
    parser.add_argument("--open-us", type=float, default=300000)
    parser.add_argument("--worst", type=int, default=10)
    return parser.parse_args()


def modelsOf(paths):
    for path in map(pathlib.Path, paths):
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        yield from (file for file in files if file.name.endswith(ENDINGS))


def explain(words, model, task, threads, runs, device):
    """The query as JSON, or none where it is refused."""
    command = [words.words[0], "explain", str(model), "--task", task, "--device", device,
               "--target", words.target, "--threads", threads, "--max-memory", "16GiB",
               "--runs", runs, "--json", "-"]
    queries = json.loads(outputOf(command))["queries"]
    return queries[0] if queries and queries[0]["placements"] else None


def planningUs(query):
    return sum(phase["time_us"] for phase in query["phases"] if phase["phase"] == "planning")


def chosenUs(query):
    return next(offer["time_us"] for offer in query["placements"] if offer["chosen"])


def predictedCases(words):
    """((threads, runs), name, {schedule: microseconds of a run, of its planning})"""
    for model in modelsOf(words.words[1:]):
        for task in words.tasks.split(","):
            for runs in (words.runs or "1").split(","):
                for threads in words.threads.split(","):
                    found = {device: explain(words, model, task, threads, runs, device)
                             for device in ("cpu", "gpu", "auto")}
                    if not all(found.values()):
                        continue
                    times = {device: (chosenUs(query), planningUs(query) / float(runs))
                             for device, query in found.items()}
                    for offer in found["auto"]["placements"]:
                        if offer["schedule"] == "greedy":
                            times["greedy"] = offer["time_us"], times["auto"][1]
                    yield (threads, runs), f"{model.stem} {task}", times


def measuredCases(words):
    with open(words.words[0], encoding="utf-8") as file:
        tasks = json.load(file)["tasks"]
    runs = words.runs or "100"
    for task in tasks:
        byThreads = {}
        for run in task["runs"]:
            name = run["solver"].split()
            seconds = run.get("seconds", {})
            timeUs = 1e6 * (seconds.get("run") or seconds.get("first_run") or 0)
            if run["status"] == "solved" and timeUs and name[0] == "mpf":
                usesGpu = "sm_" in run.get("device", "")
                timeUs += words.open_us / float(runs) if usesGpu else 0
                planUs = 1e6 * sum(seconds.get(phase, 0) for phase in ("simplifying", "planning", "choosing"))
                byThreads.setdefault(name[2] if len(name) > 2 else "", {})[name[1]] = timeUs, planUs / float(runs)
        for threads in [threads for threads in byThreads if threads]:
            times = byThreads[""] | byThreads[threads] if "" in byThreads else byThreads[threads]
            if "auto" in times and len(times) > 1:
                yield (threads, runs), f"{task['instance']} {task['task']}", times


def ratioOf(times, withPlanning):
    cost = {name: sum(pair) if withPlanning else pair[0] for name, pair in times.items()}
    best = min((cost[name], name) for name in cost if name != "auto")
    return cost["auto"] / best[0], best[1]


def printSummary(groups, worst, withPlanning):
    print("planning and run" if withPlanning else "run")
    for (threads, runs), rows in sorted(groups.items()):
        ratios = [ratioOf(times, withPlanning)[0] for _, times in rows]
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"  {threads} threads, {runs} runs: {len(rows)} networks and tasks, geometric mean {mean:.3f}, "
              f"{sum(ratio > 1.05 for ratio in ratios)} above 1.05, the worst {max(ratios):.3f}")
    listed = [(*ratioOf(times, withPlanning), name, group, times)
              for group, rows in groups.items() for name, times in rows]
    listed.sort(key=lambda row: row[0], reverse=True)
    for ratio, best, name, (threads, runs), times in listed[:worst]:
        text = ", ".join(f"{key} {runUs / 1e3:.3f} + {planUs / 1e3:.3f}" for key, (runUs, planUs) in times.items())
        print(f"    {ratio:.2f} {name}, {threads} threads, {runs} runs, best {best} (ms, run + planning: {text})")


def main():
    words = parseArguments()
    if words.mode == "predicted":
        requireMpfc(words.words[0])
    groups = {}
    for group, name, times in (predictedCases if words.mode == "predicted" else measuredCases)(words):
        groups.setdefault(group, []).append((name, times))
    for withPlanning in (False, True):
        printSummary(groups, words.worst, withPlanning)


if __name__ == "__main__":
    main()
