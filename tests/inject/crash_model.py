"""The states of a disk after a loss of power that are possible after the calls before it.

The model is the weakest that file systems keep (Pillai et al., OSDI 2014). Each call that was not
synced has taken effect or not, in any order. A write may be there in part, or only as the new length
of its file. A sync of a file makes its contents safe, a sync of a folder its names. A rename is
there as a whole or not at all.

A log is lines of record.cpp; FILE and FOLDER are numbers:

    nameless FILE | create FOLDER NAME FILE | mkdir FOLDER NAME FILE | write FILE AT HEX |
    truncate FILE BYTES | sync FILE | link FOLDER NAME FILE | rename FOLDER NAME FOLDER NAME |
    unlink FOLDER NAME
"""
import dataclasses
import itertools
import math
import random

MOST_CHOICES = 2000  # the most choices tried for one moment; if there are more, this many are drawn


@dataclasses.dataclass(frozen=True)
class Step:
    """One call. `about`: the file whose contents, or the folder whose names, it changes or syncs."""
    kind: str  # write, truncate, names, sync
    about: str
    at: int = 0
    contents: bytes = b""
    enters: tuple = ()  # ((folder, name), file)
    leaves: tuple = ()  # (folder, name)

    def ways(self):
        """The parts of it that a loss of power may leave."""
        return ("lost", "whole", "half", "zeros", "tail") if self.kind == "write" else \
               ("lost", "whole")


class Disk:
    """The names and contents of a disk: {(folder, name): file}, {file: contents}."""

    def __init__(self, names, contents, folders=()):
        self.names = dict(names)
        self.contents = dict(contents)
        self.folders = set(folders)

    def copy(self):
        return Disk(self.names, self.contents, self.folders)

    def apply(self, step, way="whole"):
        if way == "lost" or step.kind == "sync":
            return
        if step.kind == "names":
            if step.leaves:
                self.names.pop(step.leaves, None)
            if step.enters:
                self.names[step.enters[0]] = step.enters[1]
            return
        have = self.contents.get(step.about, b"")
        if step.kind == "truncate":
            self.contents[step.about] = have[:step.at].ljust(step.at, b"\0")
            return
        middle = len(step.contents) // 2
        zeros = bytes(len(step.contents))
        written = {"whole": step.contents, "zeros": zeros, "half": step.contents[:middle],
                   "tail": zeros[:middle] + step.contents[middle:]}[way]
        self.contents[step.about] = have[:step.at].ljust(step.at, b"\0") + written + \
            have[step.at + len(written):]

    def visible(self, roots):
        """Returns {path: contents} below the folders in `roots`, {folder: path}; None for folders."""
        found, left = {}, list(roots.items())
        while left:
            folder, path = left.pop()
            for (parent, name), file in self.names.items():
                if parent != folder:
                    continue
                found[f"{path}/{name}"] = None if file in self.folders else \
                    self.contents.get(file, b"")
                if file in self.folders:
                    left.append((file, f"{path}/{name}"))
        return found


def readLog(lines, disk):
    """Returns the steps of the log, and brings `disk` to the state after all of them. A number that a
    line creates again is another file."""
    current, steps, renewed = {}, [], itertools.count()

    def known(number):
        return current.get(number, number)

    def renew(number):
        current[number] = f"{number}#{next(renewed)}"
        disk.contents[current[number]] = b""
        return current[number]

    def names(folder, enters=(), leaves=()):
        steps.append(Step("names", known(folder), enters=enters, leaves=leaves))

    for line in lines:
        kind, *words = line.split()
        before = len(steps)
        if kind == "nameless":
            renew(words[0])
        elif kind in ("create", "mkdir"):
            file = renew(words[2])
            if kind == "mkdir":
                disk.folders.add(file)
            names(words[0], enters=((known(words[0]), words[1]), file))
        elif kind == "link":
            names(words[0], enters=((known(words[0]), words[1]), known(words[2])))
        elif kind == "rename":
            source, target = (known(words[0]), words[1]), (known(words[2]), words[3])
            if source[0] != target[0]:
                raise ValueError(f"a rename between two folders is not described: {line}")
            if source in disk.names:
                names(words[0], enters=(target, disk.names[source]), leaves=source)
        elif kind == "unlink":
            names(words[0], leaves=(known(words[0]), words[1]))
        elif kind == "write":
            steps.append(Step("write", known(words[0]), int(words[1]), bytes.fromhex(words[2])))
        elif kind == "truncate":
            steps.append(Step("truncate", known(words[0]), int(words[1])))
        elif kind == "sync":
            steps.append(Step("sync", known(words[0])))
        else:
            raise ValueError(f"unknown call: {line}")
        for step in steps[before:]:
            disk.apply(step)
    return steps


def isSafe(steps, number, moment):
    return any(step.kind == "sync" and step.about == steps[number].about
               for step in steps[number + 1:moment])


def choicesAt(steps, moment, chance):
    """Yields, for the first `moment` steps, each choice of the parts that may be there."""
    ways = [("whole",) if step.kind == "sync" or isSafe(steps, i, moment) else step.ways()
            for i, step in enumerate(steps[:moment])]
    if math.prod(map(len, ways)) <= MOST_CHOICES:
        yield from itertools.product(*ways)
    else:
        for _ in range(MOST_CHOICES):
            yield tuple(chance.choice(way) for way in ways)


def crashStates(start, steps, roots):
    """Yields each possible state once, as ({path: contents}, whether all calls had been made)."""
    chance = random.Random(1)
    seen = set()
    for moment in range(len(steps) + 1):
        for choice in choicesAt(steps, moment, chance):
            disk = start.copy()
            for step, way in zip(steps, choice):
                disk.apply(step, way)
            state = disk.visible(roots)
            key = tuple(sorted((path, text) for path, text in state.items() if text is not None))
            key += (moment == len(steps),)
            if key not in seen:
                seen.add(key)
                yield state, moment == len(steps)
