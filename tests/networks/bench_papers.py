#!/usr/bin/env python3
"""mpf-bench paper, every paper in tiny sizes on the CPU: all items, tables and dots, JSON and page.

usage: bench_papers.py MPF_BENCH
"""
import json
import os
import subprocess
import sys
import tempfile

SMALL = ["--device", "cpu", "--threads", "1,2", "--seconds", "0.01", "--buckets", "12", "--max-ops", "1e5",
         "--largest-bucket", "256", "--width", "6", "--cases", "1,8"]
# Arguments, items with rows, items with dots, and items that need a GPU or mean nothing here, by paper.
PAPERS = {
    "gems": (["--sizes", "12,20"], ["table 1", "table 2", "table 3"], ["figure 5(a,b)", "figure 6"],
             ["figure 5(c)", "figure 5(d)"]),
    "icpp10": (["--sizes", "40"], ["figure 10(a)", "figure 10(b)", "figure 11", "figure 12", "figure 13",
                                   "figure 14"], ["figure 10(a)", "figure 10(b)", "figure 11", "figure 12",
                                                 "figure 13", "figure 14"],
               ["figure 8", "figure 9"]),
    "pdp11": (["--sizes", "40"], ["table 1", "figure 6"], ["figure 6", "figure 7", "figure 8"], []),
}


def require(holds, what):
    if not holds:
        sys.exit(f"bench_papers.py: {what}")


def checkPaper(program, folder, paper):
    arguments, tables, figures, nothing = PAPERS[paper]
    report, page = os.path.join(folder, "report.json"), os.path.join(folder, "page.html")
    done = subprocess.run([program, "paper", paper, *SMALL, *arguments, "--json", report, "--html", page],
                          capture_output=True, text=True, check=False)
    require(done.returncode == 0, f"{paper}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    with open(report, encoding="utf-8") as file:
        items = {item["name"]: item for item in json.load(file)["items"]}
    with open(page, encoding="utf-8") as file:
        html = file.read()
    require(set(items) == {*tables, *figures, *nothing}, f"{paper}: items {list(items)}")
    for name, item in items.items():
        require(bool(item["rows"]) == (name in tables), f"{paper}, {name}: {len(item['rows'])} rows")
        require(bool(item["dots"]) == (name in figures), f"{paper}, {name}: {len(item['dots'])} dots")
        require(name in done.stdout and f"<h2>{name}</h2>" in html, f"{paper}: {name} is not shown")
        require(all(len(row) == len(item["columns"]) for row in item["rows"]), f"{paper}, {name}: ragged rows")
    for name in nothing:
        require(items[name]["here"].startswith("Nothing"), f"{paper}, {name}: {items[name]['here']}")
    require(html.count("<svg") == len(figures), f"{paper}: {html.count('<svg')} plots")


def rowsOf(program, folder, paper, *arguments):
    """Returns the rows of every item that is asked for, by its name."""
    report = os.path.join(folder, "report.json")
    subprocess.run([program, "paper", paper, *SMALL, *arguments, "--json", report], capture_output=True,
                   check=True)
    with open(report, encoding="utf-8") as file:
        return {item["name"]: item["rows"] for item in json.load(file)["items"]}


def checkItems(program, folder):
    """Lists of items may have commas, and so may names of items, inside parentheses."""
    for items in ("table 1,figure 5(c)", "table 1, figure 5(c)", "figure 5(c);table 1"):
        rows = rowsOf(program, folder, "gems", "--items", items)
        require(list(rows) == ["table 1", "figure 5(c)"], f"--items {items}: {list(rows)}")
    rows = rowsOf(program, folder, "gems", "--items", "figure 5(a,b)")
    require(list(rows) == ["figure 5(a,b)"], f"a name with a comma: {list(rows)}")


def checkTasks(program, folder):
    """A tree has the tasks of the paper: one for each variable, none simplified away or joined."""
    rows = rowsOf(program, folder, "gems", "--items", "table 2", "--sizes", "40,60")["table 2"]
    require(sorted({(row[0].split("/")[-1], row[1]) for row in rows}) ==
            [("gems-0040-1", "40"), ("gems-0060-1", "60")], f"tasks of trees: {rows}")
    for row in rows:
        require(int(row[1]) <= int(row[2]) <= 1.1 * int(row[1]), f"operations of a tree: {row}")


def checkEvidence(program, folder):
    """Sweeps draw their cases. Files of evidence beside a network do not count as networks."""
    networks = os.path.join(folder, "networks")
    os.mkdir(networks)
    with open(os.path.join(networks, "pair.uai"), "w", encoding="utf-8") as file:
        file.write("BAYES 2 2 2 2 1 0 2 0 1 2 0.5 0.5 4 0.25 0.75 0.5 0.5\n")
    for name in ("pair.e1.evid", "pair.e2.evid"):
        with open(os.path.join(networks, name), "w", encoding="utf-8") as file:
            file.write("1 0 1\n")
    rows = rowsOf(program, folder, "pdp11", "--items", "table 1", "--networks", networks)["table 1"]
    require(len(rows) == 1, f"a network with two files of evidence: {rows}")


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        for paper in PAPERS:
            checkPaper(program, folder, paper)
        checkItems(program, folder)
        checkTasks(program, folder)
        checkEvidence(program, folder)
    done = subprocess.run([program, "paper", "gems", "--items", "table 9"], capture_output=True, text=True,
                          check=False)
    require(done.returncode == 2 and "figure 6" in done.stderr, f"an unknown item: {done.returncode} {done.stderr}")


main()
