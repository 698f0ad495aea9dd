"""Checks that classes are small: a limit of functions and of data members, for each class by itself.

Functions of one name are one operation, so overloads count once; all constructors together count once too.
Accessors, overrides, private and static functions count, because a change of the class must respect them all.
Deleted functions do not count, because no code can call them. Constants (static constexpr) are no data members.
A struct without functions that change it is plain data: its members are independent, so any number will do.

usage: check_classes.py ROOT
"""
import sys

from classes import classesOf
from tree import finish, readText, sourceFiles

MAX_FUNCTIONS = 50 # of the largest class today; the aim is 25
MAX_DATA = 25


def problemsOf(path, read):
    at = f"{path}:{read.line}: {read.name} has"
    if len(read.functions) > MAX_FUNCTIONS:
        yield f"{at} {len(read.functions)} functions, at most {MAX_FUNCTIONS}"
    if read.changes and len(read.data) > MAX_DATA:
        yield f"{at} {len(read.data)} data members, at most {MAX_DATA}"


def main(root):
    files = sourceFiles(root, ".h", ".cpp", ".cc")
    problems, classes = [], []
    for path in files:
        try:
            found = classesOf(readText(root, path))
        except ValueError as error:
            problems.append(f"{path}: {error}")
            continue
        classes += found
        problems += [problem for read in found for problem in problemsOf(path, read)]
    # A reader that lost its place would find nothing to complain of.
    if not any(read.name == "Session" and len(read.functions) > 10 for read in classes):
        problems.append("class Session was not found: the rule reads the sources wrongly")
    largest = max(classes, key=lambda read: len(read.functions), default=None)
    if largest:
        print(f"classes: {len(classes)}, most functions {len(largest.functions)} ({largest.name}), most data "
              f"{max(len(read.data) for read in classes if read.changes)}")
    finish("classes", problems, len(files))


main(sys.argv[1])
