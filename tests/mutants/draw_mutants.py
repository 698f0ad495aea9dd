"""Draws mutants of the product's sources and writes them into the source files of a copy of the tree.

usage: draw_mutants.py TREE [--seed S] [--count N] [--without LIST]

TREE is a copy that may be overwritten; its files of code change, and TREE/mutants.json lists the mutants:
number, file, line, kind, text before and after. Each mutant is compiled in and asleep: the environment
variable MPF_MUTANT=number wakes one (mutant.h). Three kinds, each a third of the mutants:

  comparison   a < b is a <= b, a == b is a != b, and so on
  constant     a whole number is greater by one
  statement    a call or an assignment is gone

The sources are read as text. clang-format puts blanks around a comparison and none around the brackets of
a template, so that the two can be told apart. A mutant that does not compile (a constant expression) is
left out by its number in the file LIST, which the build's errors give (run_mutants.py). The same seed
draws the same mutants from the same tree.
"""
import argparse
import json
import os
import random
import re
import subprocess

FOLDERS = ("dsl", "codegen", "runtime", "tools/mpfc")
TURNED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
HIDDEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\((?:.|\n)*?\)\1"|"(?:\\.|[^"\\\n])*"'
                    r"|'(?:\\.|[^'\\\n])+'", re.S)
COMPARISON = re.compile(r" (<=|>=|==|!=|<|>) ")
CONSTANT = re.compile(r"(?<![\w.'])(?:0|[1-9]\d*)(?:[uUlL]+)?(?![\w.'])")
STATEMENT = re.compile(r"^[ \t]+([A-Za-z_](?:[\w.:\[\]]|->)*"
                       r"(?:\([^;]*\)| (?:[-+*/%|&^]|<<|>>)?= [^;{}]*|\+\+|--));\n", re.M)
DECLARES = re.compile(r"(?:return|throw|delete|using|goto|case|default|break|continue|co_return)\b")
# Lines that are read by the compiler alone, check invariants, or only reserve memory.
QUIET_LINE = re.compile(r"^\s*#|static_assert|constexpr|\bcase\b|\benum\b|template|MPF_CHECK|MPF_UNREACHABLE"
                        r"|__attribute__|alignas|reserve\(")
OPENING, CLOSING = "([{", ")]}"


def masked(text):
    """The text with blanks in place of comments, strings and characters; line ends stay."""
    return HIDDEN.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def lineOf(text, place):
    start = text.rfind("\n", 0, place) + 1
    end = text.find("\n", place)
    return text[start:end if end >= 0 else len(text)]


def operandBounds(code, begin, end):
    """The bounds of the comparison whose operator lies in code[begin:end], or None."""
    left, depth = begin, 0
    while left > 0:
        char = code[left - 1]
        if char in CLOSING:
            depth += 1
        elif char in OPENING:
            if depth == 0:
                break
            depth -= 1
        elif depth == 0:
            if char in ",;?&|=" and not code.startswith("->", left - 2):
                break
            if char == ":" and code[left - 2] != ":" and code[left] != ":":
                break
        left -= 1
    right, depth = end, 0
    while right < len(code):
        char = code[right]
        if char in OPENING:
            depth += 1
        elif char in CLOSING:
            if depth == 0:
                break
            depth -= 1
        elif depth == 0 and char in ",;?&|":
            break
        elif depth == 0 and char == ":" and ":" not in (code[right - 1], code[right + 1]):
            break
        right += 1
    start = left + len(code[left:begin]) - len(code[left:begin].lstrip())
    stop = right - (len(code[end:right]) - len(code[end:right].rstrip()))
    word = re.match(r"(?:return|co_return|if|while|for|else)\b\s*", code[start:begin])
    start += len(word[0]) if word else 0
    operands = code[start:begin], code[end:stop]
    if not all(o.strip() for o in operands) or any(COMPARISON.search(f" {o} ") for o in operands):
        return None
    return start, stop


def comparisons(text, code):
    for found in COMPARISON.finditer(code):
        bounds = operandBounds(code, found.start(), found.end())
        if bounds:
            start, stop = bounds
            before = text[start:stop]
            after = text[start:found.start(1)] + TURNED[found[1]] + text[found.end(1):stop]
            yield start, stop, before, after, "(MPF_MUTANT({number}) ? %s : %s)" % (after, before)


def constants(text, code):
    for found in CONSTANT.finditer(code):
        digits = re.match(r"\d+", found[0])[0]
        after = str(int(digits) + 1) + found[0][len(digits):]
        yield found.start(), found.end(), found[0], after, "(MPF_MUTANT({number}) ? %s : %s)" % (after, found[0])


def isBalanced(code):
    depth = 0
    for char in code:
        depth += (char in OPENING) - (char in CLOSING)
        if depth < 0:
            return False
    return depth == 0


def statements(text, code):
    for found in STATEMENT.finditer(code):
        before = code[:found.start()].rstrip()
        if before[-1:] not in (";", "{", "}") or DECLARES.match(found[1]) or not isBalanced(found[1]):
            continue
        start, stop = found.start(1), found.end(1) + 1
        yield start, stop, text[start:stop], "", "if (!MPF_MUTANT({number})) { %s }" % text[start:stop]


KINDS = {"comparison": comparisons, "constant": constants, "statement": statements}


def sites(tree):
    """All places of each kind: (file, start, stop, before, after, text with {number})."""
    names = subprocess.run(["git", "-C", tree, "ls-files", *FOLDERS], capture_output=True, text=True,
                           check=True)
    found = {kind: [] for kind in KINDS}
    for name in sorted(n for n in names.stdout.splitlines() if n.endswith(".cpp")):
        with open(os.path.join(tree, name), encoding="utf-8") as file:
            text = file.read()
        code = masked(text)
        for kind, places in KINDS.items():
            found[kind] += [(name, *place) for place in places(text, code)
                            if not QUIET_LINE.search(lineOf(code, place[0]))]
    return found


def draw(found, seed, count):
    """Draws `count` mutants, at most one a line, the kinds in turn."""
    chance = random.Random(seed)
    order = {kind: chance.sample(places, len(places)) for kind, places in found.items()}
    mutants, lines = [], set()
    while len(mutants) < count and any(order.values()):
        kind = list(KINDS)[len(mutants) % len(KINDS)]
        if not order[kind]:
            raise SystemExit(f"there are too few places of the kind {kind}")
        place = order[kind].pop()
        spans = {(place[0], p) for p in range(place[1], place[2])}
        if not spans & lines:
            lines |= spans
            mutants.append((kind, place))
    return mutants


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tree")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--without", help="file with the numbers of mutants to leave out, one a line")
    arguments = parser.parse_args()
    without = set()
    if arguments.without:
        with open(arguments.without, encoding="ascii") as file:
            without = {int(line) for line in file if line.strip()}

    found = sites(arguments.tree)
    drawn = draw(found, arguments.seed, arguments.count + len(without))
    files, listed = {}, []
    for number, (kind, (name, start, stop, before, after, text)) in enumerate(drawn):
        if number not in without:
            files.setdefault(name, []).append((start, stop, text.replace("{number}", str(number))))
            listed.append({"number": number, "file": name, "start": start, "kind": kind, "before": before,
                           "after": after})
    for name, changes in files.items():
        path = os.path.join(arguments.tree, name)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for mutant in listed:
            if mutant["file"] == name:
                mutant["line"] = text.count("\n", 0, mutant.pop("start")) + 1
        for start, stop, replacement in sorted(changes, reverse=True):
            text = text[:start] + replacement + text[stop:]
        with open(path, "w", encoding="utf-8") as file:
            file.write('#include "tests/mutants/mutant.h"\n#line 1\n' + text)
    with open(os.path.join(arguments.tree, "mutants.json"), "w", encoding="utf-8") as file:
        json.dump(listed, file, indent=1)
    print(", ".join(f"{len(places)} places of the kind {kind}" for kind, places in found.items()))
    print(f"{len(listed)} mutants in {len(files)} files")


if __name__ == "__main__":
    main()
