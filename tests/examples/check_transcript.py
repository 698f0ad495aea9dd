"""Runs the commands of a console transcript again and compares the output, byte for byte.

usage: check_transcript.py MPFC FILE [--update]
FILE is a whole transcript (expected.txt) or a Markdown page with ```console blocks that begin with
`$ mpfc` or `$ cat`. Lines that start with `$ ` are commands, run in FILE's folder: mpfc, or `cat` of
one file. A command shows its notes and warnings above its answers, as on a terminal, and its errors
behind `[exit code N]`. A line `...` of FILE stands for any lines of output.
--update rewrites FILE with what the commands print now. Blocks that agree keep their `...`.
"""
import os
import re
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
            if lines[start].startswith(("$ mpfc", "$ cat ")):
                blocks.append((start, number))
            start = None
    return blocks


def runAgain(lines, mpfc, folder):
    """The transcript as it would read now."""
    output = []
    for command in (line for line in lines if line.startswith("$ ")):
        words = shlex.split(command[2:])
        if len(words) == 2 and words[0] == "cat":
            with open(os.path.join(folder, words[1]), encoding="utf-8") as file:
                output += [command, *file.read().splitlines()]
            continue
        if not words or words[0] != "mpfc":
            raise SystemExit(f"only mpfc and cat of one file can be checked: {command}")
        run = subprocess.run([mpfc, *words[1:]], cwd=folder, text=True, timeout=300, capture_output=True)
        if run.returncode != 0:
            output += [command, *run.stdout.splitlines()]
            output += f"[exit code {run.returncode}] {run.stderr.strip()}".splitlines()
        else:
            output += [command, *run.stderr.splitlines(), *run.stdout.splitlines()]
    return output


def agree(written, printed):
    """Whether the lines are equal, where a written line `...` stands for any number of lines."""
    pattern = "".join("(.*\n)*" if line == "..." else re.escape(line + "\n") for line in written)
    return re.fullmatch(pattern, "".join(line + "\n" for line in printed)) is not None


def main(mpfc, path, update):
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    blocks = splitBlocks(lines, not path.endswith(".md"))
    now = list(lines)
    for start, end in reversed(blocks):
        printed = runAgain(lines[start:end], mpfc, os.path.dirname(os.path.abspath(path)))
        if not agree(lines[start:end], printed):
            now[start:end] = printed
    commands = sum(line.startswith(("$ mpfc", "$ cat ")) for line in now)
    if commands == 0:
        raise SystemExit(f"{path}: no command to run")
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
