"""Checks that no two files define types of one name in one namespace.

Two such types break the rule of one definition: the linker keeps one of their inline functions, which then
reads the other type's objects. Types in anonymous namespaces belong to one file, so they may share names.

usage: check_types.py ROOT
"""
import collections
import re
import sys

from tree import finish, readText, sourceFiles

OPENS = re.compile(r"(?:inline )?namespace ?([\w:]*) ?\{")
CLOSES = re.compile(r"\} // namespace")
TYPE = re.compile(r"(?:template <.*> ?)?(?:struct|class|union|enum class|enum) (?:alignas\(\w+\) )?(\w+)"
                  r"(?: final)?(?: : [^{;]*)?(?: ?\{|$)")


def typesIn(text):
    """Yields (namespace, name) of each type that is defined outside functions and other types."""
    spaces = []
    for line in text.splitlines():
        if CLOSES.match(line):
            spaces = spaces[:-1]
        elif opened := OPENS.match(line):
            spaces.append(opened[1])
        elif (found := TYPE.match(line)) and "" not in spaces:
            yield "::".join(spaces), found[1]


def main(root):
    files = sourceFiles(root, ".h", ".cpp", ".cc")
    places = collections.defaultdict(list)
    for path in files:
        for name in typesIn(readText(root, path)):
            places[name].append(path)
    problems = [f"{' and '.join(paths)} define {space}::{name}"
                for (space, name), paths in sorted(places.items()) if space and len(set(paths)) > 1]
    if not any(name == ("mpf", "Program") for name in places):
        problems.append("mpf::Program was not found: the rule reads the sources wrongly")
    finish("types", problems, len(files))


main(sys.argv[1])
