"""Counts the instructions of planning for every network below a folder, on machines of any load.

usage: count_planning.py count BENCH_PLANS FOLDER OUT.csv [--only ROWS.csv] [--jobs 2]
       count_planning.py compare BEFORE.csv AFTER.csv [--only ROWS.csv]

Each instance, task and device is planned in a separate process below valgrind. The instructions of a process
that only reads the network are subtracted. compare: quotients after over before, their geometric mean, and
whether the plans have equal bytes (exit code 1 if not). --only: the rows that a table of
`mpf-bench networks --planning` marks as slow.
"""
import argparse
import concurrent.futures
import csv
import math
import re
import subprocess
import sys

from programs import outputOf, requireProgram

TASKS, DEVICES = ("PR", "MAR", "MPE"), ("cpu", "gpu")


def marked(path):
    """{(instance, task, device)} of the rows that are slow."""
    with open(path, newline="") as file:
        return {(row["instance"], row["task"], row["solver"].split()[1])
                for row in csv.DictReader(file) if row["slow"] == "1"}


def count(program, task, device, folder, name):
    """Returns the number of instructions of a process."""
    run = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, task,
                          device, folder, name], capture_output=True, text=True)
    collected = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode != 0 or not collected:
        sys.exit(f"{name} {task} {device}: {run.stderr}")
    return int(collected.group(1))


def bundleHashes(program, folder):
    """{(instance, task, device): hash, or why there is no plan}"""
    hashes = {}
    for task in TASKS:
        for device in DEVICES:
            for line in outputOf([program, "--hash", task, device, folder]).splitlines():
                name, _, _, said = line.split(" ", 3)
                hashes[name, task, device] = said.split()[-1] if said.startswith("simplify") else said
    return hashes


def countAll(arguments):
    requireProgram("valgrind", "it counts the instructions")
    requireProgram(arguments.program, "BENCH_PLANS is the path of bench_plans, a target of the build")
    hashes = bundleHashes(arguments.program, arguments.folder)
    jobs = sorted(marked(arguments.only) if arguments.only else hashes)
    names = sorted({job[0] for job in jobs})

    def countOf(name, task, device):
        return count(arguments.program, task, device, arguments.folder, name)

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        reading = dict(zip(names, pool.map(lambda name: countOf(name, "READ", "cpu"), names)))
        counts = pool.map(lambda job: countOf(*job), jobs)
        with open(arguments.out, "w", newline="") as file:
            rows = csv.writer(file, lineterminator="\n")
            rows.writerow(["instance", "task", "device", "bundle", "instructions"])
            for job, instructions in zip(jobs, counts):
                rows.writerow([*job, hashes[job], instructions - reading[job[0]]])
                file.flush()


def readCounts(path):
    with open(path, newline="") as file:
        return {(row["instance"], row["task"], row["device"]): (row["bundle"], int(row["instructions"]))
                for row in csv.DictReader(file)}


def compare(arguments):
    before, after = readCounts(arguments.before), readCounts(arguments.after)
    rows = sorted(before.keys() & after.keys())
    if arguments.only:
        rows = [row for row in rows if row in marked(arguments.only)]
    quotients = {row: after[row][1] / before[row][1] for row in rows}
    changed = [row for row in rows if before[row][0] != after[row][0]]
    for row in sorted(rows, key=lambda row: -before[row][1]):
        print(f"{row[0]:36} {row[1]:4} {row[2]:4} {before[row][1] / 1e6:10.1f} {after[row][1] / 1e6:10.1f} "
              f"{quotients[row]:6.3f}{'  other bytes' if row in changed else ''}")
    mean = math.exp(sum(map(math.log, quotients.values())) / len(rows))
    total = sum(after[row][1] for row in rows) / sum(before[row][1] for row in rows)
    print(f"{len(rows)} plans: geometric mean {mean:.3f}, of all instructions {total:.3f}, "
          f"least {min(quotients.values()):.3f}, greatest {max(quotients.values()):.3f}; "
          f"{len(changed)} with other bytes")
    return 1 if changed else 0


def main():
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command", required=True)
    counting = commands.add_parser("count")
    counting.add_argument("program")
    counting.add_argument("folder")
    counting.add_argument("out")
    counting.add_argument("--jobs", type=int, default=2)
    comparing = commands.add_parser("compare")
    comparing.add_argument("before")
    comparing.add_argument("after")
    for command in (counting, comparing):
        command.add_argument("--only")
    arguments = parser.parse_args()
    return countAll(arguments) if arguments.command == "count" else compare(arguments)


if __name__ == "__main__":
    sys.exit(main())
