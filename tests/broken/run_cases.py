"""Small inputs with what mpfc must say of them: answers on stdout, or messages and an exit code.

usage: run_cases.py MPFC CASES... [--xml REPORT]
A CASES file is a list of cases:

    #=== name of the case
    #run check m.uai --evidence e.evid    what to run (default: check FIRST-FILE)
    #exit 1                           the exit code (default: 1, where answers are named 0)
    #answer P(x): x=no 0.25           part of one line of stdout, which is empty where none is named
    #expect 2:3: error: ...           part of one line of stderr; several may stand here
    #--- m.uai                        a file; its text is what follows
    #--- e.npy escaped                the text has Python escapes (\\x93), line ends do not count
"""
import os
import re
import shlex
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree


# Characters that steer a terminal or show a text in another order (dsl/support/text/shown_text.h).
STEERING = re.compile("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]")


class Case:
    def __init__(self, name, place):
        self.name, self.place = name, place
        self.run, self.exit, self.answers, self.expected, self.files = None, None, [], [], []

    def addLine(self, line):
        if self.files:
            self.files[-1][2].append(line)
        elif line.startswith("#run "):
            self.run = line[5:]
        elif line.startswith("#exit "):
            self.exit = int(line[6:])
        elif line.startswith("#answer "):
            self.answers.append(line[8:])
        elif line.startswith("#expect "):
            self.expected.append(line[8:])
        elif line.strip():
            raise SystemExit(f"{self.place}: not understood: {line}")

    def writeFiles(self, folder):
        for name, escaped, lines in self.files:
            if escaped:
                data = "".join(lines).encode("latin-1").decode("unicode_escape").encode("latin-1")
            else:
                data = "".join(line + "\n" for line in lines).encode()
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data)

    def problem(self, mpfc):
        """Returns what is wrong, in words; empty when the case ends as it should."""
        if not (self.answers or self.expected) or not self.files:
            return "a case needs #answer or #expect, and a file"
        with tempfile.TemporaryDirectory() as folder:
            self.writeFiles(folder)
            command = shlex.split(self.run) if self.run else ["check", self.files[0][0]]
            try:
                run = subprocess.run([mpfc, *command], cwd=folder, capture_output=True, timeout=20,
                                     env=SAME_EVERYWHERE)
            except subprocess.TimeoutExpired:
                return "no end after 20 s"
        answers, errors = (text.decode("utf-8", "replace") for text in (run.stdout, run.stderr))
        wanted = self.exit if self.exit is not None else 0 if self.answers else 1
        if run.returncode != wanted:
            return f"exit code {run.returncode}, expected {wanted}\n{errors}"
        if steering := STEERING.findall(answers + errors):
            return f"printed control characters: {steering}"
        if answers and not self.answers:
            return f"printed to stdout: {answers[:200]}"
        return missing(self.answers, answers) or missing(self.expected, errors) or placeWithoutCaret(errors)

SAME_EVERYWHERE = {**os.environ, "MPF_LOOK": "off"}  # predicted times are those of the shipped speed


PLACE = re.compile(r"[^\s:]+:(\d+):(\d+): (error|warning): ")


def placeWithoutCaret(errors):
    """Returns, in words, the first message with a place that does not show its line with a caret below."""
    lines = errors.splitlines()
    for number, line in enumerate(lines):
        if PLACE.match(line) and not re.fullmatch(r"[ \t]+\^~*", (lines + ["", ""])[number + 2]):
            return f"no line with a caret below it:\n{errors}"
    return ""


def missing(texts, found):
    """Returns, in words, which of `texts` are in no line of `found`; several blanks count as one."""
    lines = [" ".join(line.split()) for line in found.splitlines()]
    absent = [text for text in texts if not any(" ".join(text.split()) in line for line in lines)]
    return f"not found: {absent}\n{found}" if absent else ""


def readCases(path):
    cases = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file.read().split("\n")[:-1], 1):
            if line.startswith("#=== "):
                cases.append(Case(line[5:], f"{path}:{number}"))
            elif line.startswith("#--- ") and cases:
                words = line[5:].split()
                cases[-1].files.append((words[0], "escaped" in words[1:], []))
            elif cases:
                cases[-1].addLine(line)
    return cases


def main(arguments):
    report = None
    if "--xml" in arguments:
        at = arguments.index("--xml")
        report = arguments[at + 1]
        del arguments[at:at + 2]
    mpfc, failed, count = os.path.abspath(arguments[0]), 0, 0
    name = os.path.splitext(os.path.basename(report or "cases.xml"))[0]
    suite = ElementTree.Element("testsuite", name=name)
    for path in arguments[1:]:
        for case in readCases(path):
            count += 1
            problem = case.problem(mpfc)
            entry = ElementTree.SubElement(suite, "testcase", name=case.name)
            if problem:
                failed += 1
                ElementTree.SubElement(entry, "failure", message=problem[:1000])
                print(f"{case.place}: {case.name}: {problem}")
    if report:
        ElementTree.ElementTree(suite).write(report)
    print(f"{count} cases, {failed} failed")
    raise SystemExit(1 if failed or count == 0 else 0)


main(sys.argv[1:])
