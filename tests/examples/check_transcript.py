"""Runs the mpfc commands of a console transcript again and compares the output, byte for byte.

usage: check_transcript.py MPFC FILE [--update]
FILE is a whole transcript (expected.txt) or a Markdown page with ```console blocks that begin with
`$ mpfc`. Lines that start with `$ ` are commands, run in FILE's folder; stderr is not compared.
--update rewrites FILE with what the commands print now.
"""
import os
import shlex
import subprocess
import sys


def splitBlocks(lines, wholeFile):
    """(start, end) line ranges of the transcripts."""
    if wholeFile:
        return [(0, len(lines))]
    blocks, start = [], None
    for number, line in enumerate(lines):
        if line == "```console":
            start = number + 1
        elif line == "```" and start is not None:
            if lines[start].startswith("$ mpfc"):
                blocks.append((start, number))
            start = None
    return blocks


def runAgain(lines, mpfc, folder):
    """The transcript as it would read now."""
    output = []
    for command in (line for line in lines if line.startswith("$ ")):
        words = shlex.split(command[2:])
        if not words or words[0] != "mpfc":
            raise SystemExit(f"only mpfc commands can be checked: {command}")
        run = subprocess.run([mpfc, *words[1:]], cwd=folder, capture_output=True, text=True,
                             timeout=300)
        output += [command, *run.stdout.splitlines()]
        if run.returncode != 0:
            output.append(f"[exit code {run.returncode}] {run.stderr.strip()}")
    return output


def main(mpfc, path, update):
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    blocks = splitBlocks(lines, not path.endswith(".md"))
    now = list(lines)
    for start, end in reversed(blocks):
        now[start:end] = runAgain(lines[start:end], mpfc, os.path.dirname(os.path.abspath(path)))
    commands = sum(line.startswith("$ mpfc") for line in now)
    if commands == 0:
        raise SystemExit(f"{path}: no mpfc command to run")
    if update:
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(now) + "\n")
    elif now != lines:
        for number, (old, new) in enumerate(zip(lines + [""], now + [""]), 1):
            if old != new:
                raise SystemExit(f"{path}:{number}: differs\n  written: {old}\n  printed: {new}")
        raise SystemExit(f"{path}: {len(lines)} lines written, {len(now)} printed")
    print(f"{path}: {commands} commands, output as written")


main(os.path.abspath(sys.argv[1]), sys.argv[2], "--update" in sys.argv[3:])
