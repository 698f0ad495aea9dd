"""Tests the files after a loss of power at any moment of a run (crash_model.py).

A name that the user asked for has the whole old contents or the whole new ones, and the new ones once
mpf has ended. The next run is right with whatever is left of the cache.

usage: crash_states.py --build FOLDER [--scenario NAME ...]

Every scenario of scenarios.py that writes files is recorded (record.cpp): into empty folders, over
older files, and on a file system where every file has a name. At the end every sync that counts is
left out of the logs, one at a time. The resulting states must be found wrong, or nothing is tested
here.
"""
import argparse
import os
import sys
import tempfile

import judge
from crash_model import Disk, crashStates, readLog
from scenarios import scenariosOf
from world import World

HERE = os.path.dirname(os.path.abspath(__file__))
OLDER = b"what was there before\n"
TEMPORARY = ".mpf-"
SCENARIOS = ("import", "build", "answers", "json", "cold", "save", "page", "format", "cases",
             "cuda-text", "dump")


def numberOf(path):
    found = os.stat(path)
    return f"{found.st_dev}:{found.st_ino}"


class Recording:
    """One run of a scenario: the calls, the states before and after."""

    def __init__(self, world, recorder, scenario, before, named):
        world.restore(before)
        self.roots = {numberOf(world.names[name]): name for name in ("out", "cache")}
        self.before = world.state("out", "cache")
        self.start = self.diskNow(world)
        log = os.path.join(world.folder, "log")
        if os.path.exists(log):
            os.unlink(log)
        extra = {**scenario.environment, "LD_PRELOAD": recorder, "MPF_RECORD": log}
        if named:
            extra["MPF_RECORD_NAMED"] = "1"
        code, _, err, _ = world.run(scenario.argv, extra, scenario.stdin)
        if code != 0:
            raise SystemExit(f"{scenario.name}: {code}: {err.decode()}")
        self.after = world.state("out", "cache")
        with open(log, encoding="ascii") as file:
            end = self.start.copy()
            self.steps = readLog(file.read().splitlines(), end)
        self.made = end.folders - self.start.folders
        self.start.folders |= self.made
        if end.visible(self.roots) != self.after:
            raise SystemExit(f"{scenario.name}: the log does not tell all that was written")

    def diskNow(self, world):
        names, contents, folders = {}, {}, set()
        for path, text in self.before.items():
            whole = os.path.join(world.folder, path)
            file = numberOf(whole)
            names[numberOf(os.path.dirname(whole)), os.path.basename(path)] = file
            if text is None:
                folders.add(file)
            else:
                contents[file] = text
        return Disk(names, contents, folders)

    def neededSyncs(self):
        """Returns, for every file and folder, the syncs since its last change. There is more than one
        if a thread syncs a file that another thread has changed. Folders that mpf made are left out:
        their names may be lost."""
        last = {}
        for i, step in enumerate(self.steps):
            if step.kind != "sync":
                last[step.about] = []
            elif step.about not in self.made:
                last.setdefault(step.about, []).append(i)
        return [syncs for syncs in last.values() if syncs]

    def states(self, without=()):
        steps = [step for i, step in enumerate(self.steps) if i not in without]
        return crashStates(self.start, steps, self.roots)

    def faultsOf(self, state, isEnd):
        """Yields the faults of the files that the user asked for."""
        for path, new in self.after.items():
            if not path.startswith("out/") or new is None:
                continue
            # A folder that mpf made may be lost with all that is in it.
            folder = os.path.dirname(path)
            isLost = folder != "out" and folder not in self.before and folder not in state
            old = self.before.get(path)
            if isEnd and not isLost and state.get(path) != new:
                yield f"{path} is not there after the end"
            elif state.get(path) not in (old, new):
                yield f"{path} may be neither the old nor the new file"
        for path in state:
            if path.startswith("out/") and path not in self.after and path not in self.before and \
                    not os.path.basename(path).startswith(TEMPORARY):
                yield f"{path} is left"


class Trial:
    def __init__(self, build, folder):
        tests = os.path.join(os.path.abspath(build), "tests", "inject")
        mpfc = os.path.join(os.path.abspath(build), "tools", "mpfc", "mpfc")
        self.recorder = os.path.join(tests, "libmpf_record.so")
        self.world = World(folder, os.path.join(HERE, "models"), os.path.join(folder, "store"))
        self.judge = judge.Judge(self.world, "")
        driver = os.path.join(tests, "..", "support", "libmpf_fake_cuda.so")
        self.scenarios = [
            s for s in scenariosOf(mpfc, os.path.join(tests, "inject_host"), driver)
            if s.name in SCENARIOS and (not s.needs or os.path.exists(s.needs))]
        self.faults, self.unseen = set(), 0

    def fail(self, words):
        if words not in self.faults:
            print("fault:", words)
        self.faults.add(words)

    def runOn(self, scenario, state, name):
        """Tries the next run, with the cache that is left."""
        self.world.restore({path: text for path, text in state.items()
                            if path.startswith("cache/")})
        code, out, err, _ = self.judge.runScenario(scenario)
        if code != 0 or judge.plain(out) != self.judge.prepare(scenario)[1]:
            self.fail(f"{name}: a next run ends with {code}: {out[:100]} {err[:200]}")

    def tryOne(self, scenario, before, variant, named):
        name = f"{scenario.name}, {variant}"
        recording = Recording(self.world, self.recorder, scenario, before, named)
        caches = {}
        count = 0
        for state, isEnd in recording.states():
            count += 1
            for words in recording.faultsOf(state, isEnd):
                self.fail(f"{name}: {words}")
            cache = {path: text for path, text in state.items() if path.startswith("cache/")}
            caches[tuple(sorted(cache.items()))] = cache
        if len(caches) > 1:
            for cache in caches.values():
                self.runOn(scenario, cache, name)
        for needed in recording.neededSyncs():
            if not any(words for state, isEnd in recording.states(without=needed)
                       for words in recording.faultsOf(state, isEnd)):
                self.unseen += 1
                print(f"{name}: without the syncs {needed} nothing is found wrong")
        syncs = sum(step.kind == "sync" for step in recording.steps)
        print(f"{name}: {len(recording.steps)} calls, {syncs} of them syncs; "
              f"{count} states, {len(caches)} of the cache", flush=True)

    def trySeveral(self, names):
        for scenario in self.scenarios:
            if names and scenario.name not in names:
                continue
            try:
                before, _, written = self.judge.prepare(scenario)
            except judge.NotHere as problem:
                print(f"{scenario.name}: {problem}")
                continue
            older = {**before, **{path: None if text is None else OLDER
                                  for path, text in written.items() if path not in before}}
            for start, words in ((before, "first"), (older, "again")):
                for named in (False, True):
                    if words == "again" and older == before:
                        continue
                    self.tryOne(scenario, start, words + (", named" if named else ""), named)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=os.path.join(HERE, "..", "..", "build"))
    parser.add_argument("--scenario", nargs="*", default=[])
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="crash-") as folder:
        trial = Trial(arguments.build, folder)
        trial.trySeveral(arguments.scenario)
    print(f"{len(trial.faults)} faults, {trial.unseen} syncs that nothing depends on")
    sys.exit(1 if trial.faults or trial.unseen else 0)


if __name__ == "__main__":
    main()
