"""Compares the answers of networks of other programs with those of answers.json beside them.

Each file is asked as it is, and as mpfc writes it in every format that can hold it. The answers were
computed by another program. A file for which a format has no place is refused by name.

usage: check_answers.py MPFC FOLDER WORKFOLDER
"""
import json
import os
import subprocess
import sys

TOLERANCE = 1e-9
FORMATS = (".mpf", ".bif", ".xml", ".net", ".xdsl")  # those that keep names


def run(mpfc, *arguments):
    done = subprocess.run([mpfc, *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def distanceOf(mpfc, path, expected):
    """Returns the largest difference of an answer, or a text when there is none."""
    observed = [word for name, label in expected["evidence"].items()
                for word in ("--observe", f"`{name}` = {json.dumps(label)}")]
    queries = [word for name in expected["posteriors"] for word in ("--query", f"P(`{name}`)")]
    code, out, error = run(mpfc, "run", path, *observed, "--query", "evidence", *queries, "--format", "json")
    if code != 0:
        return error
    answers = json.loads(out)
    distance = abs(answers[0]["log10"] - expected["log10_evidence"])
    for answer, posterior in zip(answers[1:], expected["posteriors"].values()):
        values = answer["tables"][0]["values"]
        if len(values) != len(posterior):
            return f"{answer['query']} has {len(values)} states, not {len(posterior)}"
        distance = max([distance, *(abs(a - b) for a, b in zip(values, posterior))])
    return distance


def main(mpfc, folder, work):
    with open(os.path.join(folder, "answers.json")) as file:
        expected = json.load(file)
    os.makedirs(work, exist_ok=True)
    failures = checked = 0
    for name, answers in expected.items():
        paths = [os.path.join(folder, name)]
        for ending in FORMATS:
            path = os.path.join(work, name + ending)
            code, _, error = run(mpfc, "import", paths[0], "-o", path)
            isRefused = code != 0 and name.endswith(".fg") and "is no conditional table" in error
            if code == 0:
                paths.append(path)
            elif not isRefused:
                failures += 1
                print(f"{name} to {ending}: {error}")
        for path in paths:
            distance = distanceOf(mpfc, path, answers)
            checked += 1
            if isinstance(distance, str) or not distance <= TOLERANCE:
                failures += 1
                print(f"{path}: {distance}")
    print(f"{checked} files, {failures} failures")
    return 1 if failures or checked < 60 else 0


sys.exit(main(*sys.argv[1:]))
