#!/usr/bin/env python3
"""mpf-bench networks over small drawn networks: phases, statuses, answers compared, exit codes.

usage: bench_networks.py MPF_BENCH
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # beside this file, in the source tree
from bench_driver import BenchDriver, require  # noqa: E402

OTHER_ANSWER = """import json, sys
values = dict(zip(sys.argv[1::2], sys.argv[2::2]))
answer = {"PR": {"log10_value": 12.5}, "MAR": {"marginals": [[1.0]]}, "MPE": {"log10_value": 1}}
with open(values["--json"], "w") as file:
    json.dump({"status": "solved", "seconds": {"run": 1}, **answer[values["--task"]]}, file)
"""
SLEEPER = "import time\ntime.sleep(60)\n"
DEAF = "import sys\nsys.exit('no such thing')\n"


class Bench(BenchDriver):
    def run(self, *arguments):
        done = subprocess.run([self.program, *arguments], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def networks(self, *arguments, repeat="0.01"):
        """Returns (exit status, output, tasks by (instance, task))."""
        report = self.path("report.json")
        if os.path.exists(report):
            os.remove(report)
        code, output = self.run("networks", self.path("drawn"), "--repeat-seconds", repeat, "--json",
                                report, *arguments)
        require(os.path.exists(report), output)
        with open(report, encoding="utf-8") as file:
            tasks = json.load(file)["tasks"]
        return code, output, {(t["instance"], t["task"]): {r["solver"]: r for r in t["runs"]}
                              for t in tasks}


def checkDevices(bench):
    code, output, tasks = bench.networks("--devices", "cpu,gpu,auto,greedy,acceleration", "--threads",
                                         "1,2", "--html", bench.path("page.html"),
                                         "--planning", bench.path("planning"))
    require(code == 0, f"exit status {code}\n{output}")
    require(len(tasks) == 9, f"{len(tasks)} tasks")
    for key, runs in tasks.items():
        require(list(runs) == ["mpf cpu 1", "mpf cpu 2", "mpf gpu", "mpf auto 1", "mpf auto 2",
                               "mpf greedy 1", "mpf greedy 2", "mpf acceleration 1",
                               "mpf acceleration 2"], f"{key}: {list(runs)}")
        for name, run in runs.items():
            seconds = run["seconds"]
            needsGpu = any(word in name for word in ("gpu", "greedy", "acceleration"))
            require(run["status"] == "solved" or (needsGpu and run["status"] == "planned"),
                    f"{key} {name}: {run['status']} {run['why']}")
            require(seconds["planning"] > 0 and seconds["reading"] > 0 and run["operations"] > 0,
                    f"{key} {name}: {run}")
            require(run["predicted_run_us"] > 0, f"{key} {name}: no prediction")
            if run["status"] == "solved":
                require(seconds["run"] > 0 and run["later_runs"] >= 3 and seconds["first_run"] > 0
                        and run["total_seconds"] > seconds["run"]
                        and run["cold_total_seconds"] > 0, f"{key} {name}: {run}")
    with open(bench.path("planning.csv"), encoding="utf-8") as file:
        require(len(file.readlines()) == 1 + sum(len(runs) for runs in tasks.values()), "planning.csv")
    with open(bench.path("planning.md"), encoding="utf-8") as file:
        require("| mpf gpu |" in file.read(), "planning.md")
    with open(bench.path("page.html"), encoding="utf-8") as file:
        require(file.read().count("<svg") == 12, "four pictures for each of three tasks")


def checkThreads(bench):
    """Programs that are too short for a comparison of threads are counted."""
    code, output = bench.run("threads", bench.path("drawn"), "--threads", "1,2", "--least-ms", "1000")
    require(code == 0 and "left out: 9 programs that run in less than 1000 ms" in output, output)
    require("threads over" not in output, output)


def checkLibraries(bench):
    """Every process gets the chosen driver."""
    os.environ["MPF_LIBCUDA"] = bench.path("none/libcuda.so")
    code, output, tasks = bench.networks("--devices", "gpu,gpu-synchronous", "--names", "gems-0012",
                                         "--tasks", "PR")
    del os.environ["MPF_LIBCUDA"]
    require(code == 0 and tasks, f"exit status {code}\n{output}")
    for runs in tasks.values():
        require(list(runs) == ["mpf gpu", "mpf gpu-synchronous"], f"{list(runs)}")
        require(all(run["status"] == "planned" and "none/libcuda.so" in run["why"]
                    for run in runs.values()), f"{runs}")


def checkLaterRuns(bench):
    """First runs are separate from later runs. Long runs have no later ones."""
    few = ("--no-cold", "--names", "qmr", "--tasks", "PR")
    _, output, tasks = bench.networks(*few, repeat="0")
    for runs in tasks.values():
        run = runs["mpf cpu 1"]
        require(run["later_runs"] == 0 and run["seconds"]["run"] == 0
                and run["seconds"]["first_run"] > 0, f"{run}")
    require("no later ones" in output, output)
    _, output, tasks = bench.networks(*few)
    for runs in tasks.values():
        later = runs["mpf cpu 1"]["later_runs"]
        require(f"median of {later} later" in output, output)


MERLIN = """#!/usr/bin/env python3
import sys
values = dict(zip(sys.argv[1::2], sys.argv[2::2]))
assert values["--algorithm"] == "cte" and values["--output-format"] == "uai", values
with open(values["--input-file"]) as file:
    words = file.read().split()
count = int(words[1])
extents = [int(word) for word in words[2:2 + count]]
answers = {"PR": "-2.302585092994046", "MAP": f"{count} " + "0 " * count,
           "MAR": f"{count} " + " ".join(f"{e} " + " ".join([str(1 / e)] * e) for e in extents)}
with open(values["--output-file"] + "." + values["--task"], "w") as file:
    file.write(values["--task"] + "\\n" + answers[values["--task"]] + "\\n")
"""


def checkMerlin(bench):
    """Merlin's files are read, and its wrong answers are found. The run reports a missing Merlin."""
    few = ("--no-cold", "--names", "qmr", "--peers", "merlin")
    before = os.environ["PATH"]
    if shutil.which("merlin") is None:
        _, _, tasks = bench.networks(*few)
        require(all(runs["merlin"]["status"] == "not run" and "not installed" in runs["merlin"]["why"]
                    for runs in tasks.values()), f"{tasks}")
    folder = bench.path("bin")
    os.mkdir(folder)
    with open(os.path.join(folder, "merlin"), "w", encoding="utf-8") as file:
        file.write(MERLIN)
    os.chmod(os.path.join(folder, "merlin"), 0o755)
    os.environ["PATH"] = folder + os.pathsep + before
    code, output, tasks = bench.networks(*few)
    os.environ["PATH"] = before
    require(code == 6, f"exit status {code}\n{output}")
    for (_, task), runs in tasks.items():
        run = runs["merlin"]
        require(run["status"] == "solved" and run["seconds"]["first_run"] > 0, f"{run}")
        if task == "PR":
            require(abs(run["log10_value"] + 1) < 1e-9, f"{run}")
        if task != "MPE":
            require(run["difference"], f"a wrong answer to {task} is not seen")


def checkPeers(bench):
    few = ("--no-cold", "--names", "qmr", "--peers", "pyagrum")
    code, output, tasks = bench.networks(*few, *bench.script(OTHER_ANSWER))
    require(code == 6 and "ANOTHER ANSWER" in output, f"exit status {code}\n{output}")
    require(all(runs["pyagrum"]["difference"] for runs in tasks.values()), "a difference unseen")
    code, output, tasks = bench.networks(*few, *bench.script(DEAF))
    require(code == 0, f"exit status {code}\n{output}")
    for runs in tasks.values():
        require(runs["pyagrum"]["status"] == "failed"
                and runs["pyagrum"]["why"] == "no such thing", f"{runs['pyagrum']}")
    code, output, tasks = bench.networks(*few, "--tasks", "PR", "--seconds", "2",
                                         *bench.script(SLEEPER))
    require(code == 0 and all(runs["pyagrum"]["status"] == "timed out" and
                              runs["mpf cpu 1"]["status"] == "solved" for runs in tasks.values()),
            f"exit status {code}\n{output}")


def checkRealPeers(bench):
    """Installed peers agree; missing peers are reported."""
    code, output, tasks = bench.networks("--no-cold", "--peers",
                                         "pyagrum,opt_einsum-numpy,opt_einsum-torch,jax,toulbar2")
    require(code == 0, f"exit status {code}\n{output}")
    require(all(len(runs) > 1 for runs in tasks.values()), "a peer was left out")
    for key, runs in tasks.items():
        for name, run in runs.items():
            require(run["status"] != "not run" or f"{name}: not installed" in run["why"],
                    f"{key} {name}: {run['why']}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(os.path.abspath(sys.argv[1]), folder)
        code, output = bench.run("draw-networks", bench.path("drawn"), "--sizes", "30",
                                 "--largest-bucket", "256")
        require(code == 0, output)
        code, output = bench.run("draw-networks", os.path.abspath(__file__), "--sizes", "30")
        require(code == 1 and f"cannot make the folder {os.path.abspath(__file__)}" in output, output)
        code, output = bench.run("draw-networks", bench.path("drawn"), "--set", "gems-trees",
                                 "--sizes", "12", "--seed", "3")
        require(code == 0, output)
        require(sorted(os.listdir(bench.path("drawn"))) ==
                ["gems-0012-3.uai", "gems-0030-1.uai", "qmr-0030-1.uai", "qmr-0030-1.uai.evid"],
                f"{os.listdir(bench.path('drawn'))}")
        checkDevices(bench)
        checkThreads(bench)
        checkLibraries(bench)
        checkLaterRuns(bench)
        checkPeers(bench)
        checkMerlin(bench)
        checkRealPeers(bench)
        for option in ("--json", "--html", "--planning"):
            code, output = bench.run("networks", bench.path("drawn"), option, bench.path("none/report"))
            require(code == 1 and "none/report" in output and "gems" not in output, f"{option}: {code}\n{output}")
        code, output = bench.run("networks", bench.path("drawn"), "--names", "nothing")
        require(code == 1 or code == 2, f"exit status {code} without an instance")


if __name__ == "__main__":
    main()
