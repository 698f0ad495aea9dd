"""Runs one scenario with one fault and reports the faults of its results."""
import json
import os
import re

from case_rows import areColumns, areRows, areRounded
from world import REPORTED, digest

KINDS = ("crash", "hang", "wrong answer", "no fall back", "half file", "left-over", "exit 70", "child left",
         "silent", "next run", "leak", "report")
SANITIZER_FAILED = b"CHECK failed: sanitizer_"  # the sanitizer itself has no memory
MOST_WORDS = 1500  # of an error message, which may be a sanitizer's report
ANOTHER_ENGINE = b"one case is answered after the other"
MISSING = 5  # exit code if a compiler or a device is missing
DOCUMENTED = range(0, 7)


# Texts that differ from run to run, or with the number of threads.
CHANGES = re.compile(rb'("\w+_us": )[-+.e0-9]+|, \d+ threads?|Compile time = [.0-9]+')


def plain(text):
    return text and CHANGES.sub(lambda found: found[1] + b"0" if found[1] else b"", text)


def isReport(text):
    """Whether the text is whole JSON that names a query without an answer, and the reason."""
    try:
        report = json.loads(text)
    except ValueError:
        return False
    return any("error" in part for part in report)


def plainState(state):
    return {path: plain(text) for path, text in state.items()}


class NotHere(Exception):
    """The scenario needs a program or device that this machine lacks."""


class Judge:
    def __init__(self, world, library):
        self.world = world
        self.library = library
        self.references = {}  # by scenario: (state before, stdout, state of out after)
        self.sound = set()  # (scenario, state) from which a run was seen to be right

    def prepare(self, scenario):
        """Returns the state that the scenario starts from, and its right answer."""
        if scenario.name in self.references:
            return self.references[scenario.name]
        self.world.clean()
        for argv in scenario.before:
            code, _, err, _ = self.world.run(argv, scenario.environment)
            if code == MISSING:
                raise NotHere(err.decode())
            if code != 0:
                raise SystemExit(f"{scenario.name}: {argv} ended with {code}: {err.decode()}")
        before = self.world.state("out", "cache")
        code, out, err, _ = self.runScenario(scenario)
        if code != scenario.code:
            raise SystemExit(f"{scenario.name}: ended with {code}: {err.decode()}")
        self.references[scenario.name] = before, plain(out), plainState(self.world.state("out"))
        return self.references[scenario.name]

    def runScenario(self, scenario, extra=None):
        return self.world.run(scenario.argv, {**scenario.environment, **(extra or {})},
                              scenario.stdin)

    def tryPoint(self, scenario, point):
        """Returns (whether the point was reached, [(kind of fault, words)], the place)."""
        before, answer, written = self.prepare(scenario)
        self.world.restore(before)
        code, out, err, stays = self.runScenario(
            scenario, {"LD_PRELOAD": self.library, "MPF_INJECT": point.spec,
                       "MPF_INJECT_IN": point.where, "MPF_INJECT_FIRED": self.world.fired})
        faults = []
        killed = "kill" in point.spec and point.where != "child"
        self.judgeEnd(code, err, killed, faults)
        after = plainState(self.world.state("out"))
        gone = scenario.mayVanish and point.spec.endswith(":ENOENT")
        said = scenario.mayVanish and b"is not used" in err  # the note of a cache out of reach
        expected = written, answer
        # If memory runs out while lanes are planned, the engine of tables answers, with other last bits.
        mayBeTables = point.spec.startswith("alloc:") and "--cases" in scenario.argv
        if ANOTHER_ENGINE in err or mayBeTables:
            expected = self.rounded(after, written, plain(out), answer)
        isRight = scenario.code == 0 and (after, plain(out)) == expected
        if code == 0 and not gone and not said and not isRight:
            faults.append(("wrong answer", out.decode(errors="replace")[:200]))
        if stays:
            faults.append(("child left", ""))
        refused = b"is refused, the others go on" in err
        self.judgeFiles(before, after, expected[0], code, refused, faults,
                        "kill" in point.spec)
        self.judgeNext(scenario, answer, written, faults)
        place = ""
        if os.path.exists(self.world.fired):
            with open(self.world.fired, encoding="utf-8", errors="replace") as file:
                place = file.read()
        return place != "", [(kind, f"exit {code}; {words}; {err.decode(errors='replace')[:MOST_WORDS]}")
                             for kind, words in faults], place

    @staticmethod
    def rounded(after, written, out, answer):
        """Returns the expected results. If a result differs from them only by rounding, it is expected
        instead."""
        files = {path: after[path] if areRounded(path, after.get(path), text) else text
                 for path, text in written.items()}
        return files, out if areRounded("stdout.csv", out, answer) else answer

    @staticmethod
    def judgeEnd(code, err, killed, faults):
        if code is None:
            faults.append(("hang", ""))
        elif killed and code == -9:
            return
        elif code == REPORTED:
            if SANITIZER_FAILED not in err:
                faults.append(("report", ""))
        elif code == 70:
            faults.append(("exit 70", ""))
        elif code not in DOCUMENTED:
            faults.append(("crash", ""))
        elif code != 0 and not err.strip():
            faults.append(("silent", ""))

    def judgeFiles(self, before, after, written, code, refused, faults, killed):
        for path, contents in after.items():
            temporary = os.path.basename(path).startswith(".mpf-")
            if temporary and killed:
                continue
            if refused and (path.endswith(".json") and isReport(contents) or
                            path in written and areColumns(path, contents, written[path], code == 0)):
                continue
            if path not in written:
                faults.append(("left-over", path))
            elif areRows(path, contents, written[path]):
                continue
            elif contents not in (written[path], plain(before.get(path))):
                faults.append(("half file", path))
        for path in before:
            if path.startswith("out/") and path not in after:
                faults.append(("half file", f"{path} is gone"))
        for path in self.world.state("tmp"):  # only a killed process may leave files: it cannot remove them
            if not (killed and path.startswith("tmp/mpf-")):
                faults.append(("left-over", path))
        for path in self.world.state("cache"):
            if os.path.basename(path).startswith(".") and not killed:
                faults.append(("left-over", path))

    def judgeNext(self, scenario, answer, written, faults):
        """Judges the next run, without a fault, from the state that the fault left."""
        state = self.world.state("out", "cache")
        key = scenario.name, digest(plainState(state))
        if key in self.sound or not scenario.again:
            return
        code, out, err, _ = self.runScenario(scenario)
        after = plainState(self.world.state("out"))
        if code != scenario.code or plain(out) != answer or \
                any(after.get(path) != text for path, text in written.items()):
            faults.append(("next run", f"{code} {out[:100]} {err[:200]}"))
        else:
            self.sound.add(key)
