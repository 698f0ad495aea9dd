"""Plain words in comments and pages: what a program can see of these rules.

- A comment begins with its subject, not with a preposition, a pronoun or "what".
- A sentence has at most MAX_WORDS words; text in backquotes counts as one.
- Words that hide the subject are not used.

usage: check_prose.py ROOT [--count]
  --count: how many findings each folder has, instead of the findings
"""
import collections
import os
import re
import sys

from prose import passagesOf
from tree import finish, readText, sourceFiles

MAX_WORDS = 30
OPENINGS = re.compile(r"(Of|By|As|In|For|Behind|Else|Who|Whom|Whose|What|Whoever|Whatever)\s+(?!other\b)", re.ASCII)
HIDING = re.compile(r"\b(whoever|nobody|somebody|thereby|as ever|whatsoever)\b", re.IGNORECASE)
CODE = re.compile(r"`[^`]*`|\$[^$]*\$|https?://\S+|\([^()]{0,40}\)")
ENDINGS = (".h", ".cpp", ".cuh", ".cu", ".py", ".cmake", "CMakeLists.txt", ".md")
# Measurements of the past are records: git keeps their words too.
RECORDS = ("tools/mpf-bench/results/",)


def problemsIn(path, text):
    for passage in passagesOf(path, text):
        if not path.endswith(".md"):
            opening = OPENINGS.match(passage.text)
            if opening:
                yield passage.line, f'begins with "{opening[1]}": begin with the subject'
        for sentence in passage.sentences():
            words = len([w for w in CODE.sub("x", sentence).split() if re.search(r"\w", w)])
            if words > MAX_WORDS:
                yield passage.line, f"{words} words in a sentence, at most {MAX_WORDS}: {sentence[:60]}..."
        for word in HIDING.finditer(CODE.sub("x", passage.text)):
            yield passage.line, f'"{word[0]}" hides the subject'


def main(root, count):
    files = [p for p in sourceFiles(root, *ENDINGS) if not p.startswith(RECORDS)]
    problems, folders = [], collections.Counter()
    for path in files:
        found = [f"{path}:{line}: {problem}" for line, problem in problemsIn(path, readText(root, path))]
        problems += found
        folders["/".join(path.split("/")[:2]) if "/" in path else ""] += len(found)
    if count:
        problems = [f"{number:5} {folder}" for folder, number in folders.most_common() if number]
    finish("prose", problems, len(files))


main(sys.argv[1], "--count" in sys.argv[2:])
