#!/usr/bin/env python3
"""mpf-bench cases over a small network: reports, and peers that disagree, are silent or are missing.

usage: bench_cases.py MPF_BENCH MODEL.bif
"""
import csv
import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # beside this file, in the source tree
from bench_driver import BenchDriver, require  # noqa: E402

PEER = """import json, sys
values = dict(zip(sys.argv[1::2], sys.argv[2::2]))
with open(values["--rows"]) as file:
    rows = file.read().split("\\n")[:-1]
with open(values["--json"], "w") as file:
    json.dump({"status": "solved", "rows": len(rows), "passes": 1, "median_seconds": 1, "best_seconds": 1,
               "answers": ANSWERS}, file)
"""
SWEPT = """param theta in [0, 0.25, 0.5, 0.75]
var a, b : 2
prob P(a) = [0.5, 0.5]
prob P(b | a) = [[1 - theta, theta], [theta, 1 - theta]]
observe b = 1
query evidence
"""
DEAF = "import sys\nsys.exit('no such thing')\n"


class Bench(BenchDriver):
    def __init__(self, program, model, folder):
        super().__init__(program, folder)
        self.model = model

    def cases(self, *arguments, model=None, rows=300):
        """Returns (exit status, output, lists)."""
        report = self.path("report.json")
        if os.path.exists(report):
            os.remove(report)
        done = subprocess.run([self.program, "cases", model or self.model, "--rows", str(rows), "--seconds", "0.01",
                               "--peer-seconds", "0.2", "--json", report, *arguments],
                              capture_output=True, text=True, check=False)
        lists = None
        if os.path.exists(report):
            with open(report, encoding="utf-8") as file:
                lists = json.load(file).get("lists")
        return done.returncode, done.stdout + done.stderr, lists


def checkReports(bench):
    page = bench.path("page.html")
    code, output, lists = bench.cases("--tasks", "PR,MAR,MPE", "--types", "f64,f32", "--devices", "cpu,gpu",
                                      "--threads", "2", "--html", page)
    require(code == 0, f"exit status {code}\n{output}")
    require([found["task"] for found in lists] == ["PR", "MAR", "MPE"], output)
    for found in lists:
        require(found["rows"] == 300 and found["source"] == "drawn from the network", f"{found}")
        rates = {rate["solver"]: rate for rate in found["rates"]}
        require(list(rates) == ["mpf cpu f64", "mpf cpu f32", "mpf gpu f64", "mpf gpu f32"], f"{list(rates)}")
        for name, rate in rates.items():
            if name.startswith("mpf gpu") and rate["status"] == "not run":
                continue  # there is none
            require(rate["status"] == "solved" and rate["rows_per_second"] > 0 and rate["checked_rows"] > 0
                    and rate["best_seconds"] <= rate["median_seconds"] and rate["passes"] >= 5, f"{rate}")
            require(0 <= rate["largest_relative_error"] <= (1e-12 if name.endswith("f64") else 1e-5), f"{rate}")
            require(name.endswith("f64") or rate["largest_relative_error"] > 0, f"f32 rounds: {rate}")
            require(rate["floor"] in ("bytes", "arithmetic", "rows"), f"{rate}")
    require(output.index("network ") > output.rindex("drawn from the network"), "the table is last")
    with open(page, encoding="utf-8") as file:
        require(file.read().count("<svg") == 3, "a picture for each task")


def checkPeers(bench):
    peers = ("--peers", "pyagrum,jax")
    code, output, lists = bench.cases(*peers, *bench.script(PEER.replace("ANSWERS", "[[-1e9]]")))
    require(code == 6 and "ANOTHER ANSWER" in output, f"exit status {code}\n{output}")
    rates = {rate["solver"]: rate for rate in lists[0]["rates"]}
    require(rates["jax"]["difference"] and rates["jax"]["rows"] == 300, f"{rates['jax']}")
    code, output, lists = bench.cases(*peers, *bench.script(PEER.replace("ANSWERS", "[]")))
    require(code == 0, f"exit status {code}\n{output}")
    code, output, lists = bench.cases(*peers, *bench.script(DEAF))
    require(code == 0, f"exit status {code}\n{output}")
    require(all(rate["status"] == "failed" and rate["why"] == "no such thing"
                for rate in lists[0]["rates"][1:]), f"{lists}")


def checkRealPeers(bench, python):
    """Installed peers agree; missing peers are reported."""
    code, output, lists = bench.cases("--tasks", "PR,MAR", "--peers", "pyagrum,pgmpy,jax", "--python", python)
    require(code == 0, f"exit status {code}\n{output}")
    for found in lists:
        require(len(found["rates"]) == 4, f"a peer was left out: {found}")
        for rate in found["rates"][1:]:
            require(rate["status"] in ("solved", "refused")
                    or (rate["status"] == "not run" and "No module named" in rate["why"]), f"{rate}")
            require(rate["status"] != "solved" or rate["checked_rows"] > 0, f"{rate}")


def checkSweeps(bench):
    swept = bench.path("swept.mpf")
    with open(swept, "w", encoding="utf-8") as file:
        file.write(SWEPT)
    code, output, lists = bench.cases("--peers", "pyagrum", model=swept)
    require(code == 0, f"exit status {code}\n{output}")
    require(lists[0]["source"] == "of swept params" and lists[0]["rates"][1]["status"] == "refused", f"{lists}")
    code, output, _ = bench.cases("--sweep", "1,4", "--types", "f32,f64", model=swept, rows=4)
    require(code == 0 and output.count("single runs v") == 2, f"exit status {code}\n{output}")


def checkDrawnRows(bench):
    rows = bench.path("rows.csv")
    for arguments, code in (([bench.model, rows, "--rows", "50"], 0), ([bench.path("swept.mpf"), rows], 1)):
        done = subprocess.run([bench.program, "draw-cases", *arguments], capture_output=True, text=True, check=False)
        require(done.returncode == code, f"exit status {done.returncode}\n{done.stdout}{done.stderr}")
    with open(rows, newline="", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    with open(bench.model, encoding="utf-8") as file:
        variables = [line.split()[1] for line in file if line.startswith("variable ")]
    require(len(table) == 50 and list(table[0]) == variables, f"{len(table)} rows of {list(table[0])}")
    cells = [value for row in table for value in row.values()]
    seen = sum(value != "" for value in cells)
    require(len(cells) * 0.1 < seen < len(cells) * 0.3, f"{seen} cells of {len(cells)} observed")
    require(not any(value.isdigit() for value in cells), "states have labels")


def main():
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), folder)
        checkReports(bench)
        checkPeers(bench)
        checkRealPeers(bench, os.environ.get("MPF_PEER_PYTHON", sys.executable))
        checkSweeps(bench)
        checkDrawnRows(bench)
        code, _, _ = bench.cases("--peers", "nothing")
        require(code != 0, "a peer that nobody knows")
        for option in ("--seconds", "--observed"):
            code, output, _ = bench.cases(option, "nan")
            require(code != 0 and f"{option}: nan is not a number" in output, f"exit status {code}\n{output}")


if __name__ == "__main__":
    main()
