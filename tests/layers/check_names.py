"""Checks that READMEs, the pages they link, and comments name files that exist.

A word in backquotes that looks like a path of ours (`name.h`, `folder/`, `folder/name`) must be a path. It
may start beside the page or at the root of the repository, or be the unique end of a path. `*` means any
characters, `{a,b}` either word. Words like `NAME` are placeholders for new files. In comments, words that
begin with a folder of the root are paths.

usage: check_names.py ROOT
"""
import fnmatch
import os
import re
import sys

from prose import passagesOf
from tree import finish, proseLines, readText, sourceFiles

QUOTED = re.compile(r"`([^`\s]+)`")
COMMENTED = re.compile(r"(?<![\w./<-])\w[\w.-]*/[\w./{},*-]*[\w}*/]")
SOURCES = (".h", ".cpp", ".cuh", ".cu", ".py", ".cmake", "CMakeLists.txt")
# Files of ours by their endings; data formats (.uai, .npy, ..) are mostly other people's files.
OURS = (".h", ".cpp", ".cuh", ".cu", ".cc", ".py", ".def", ".cases", ".md", ".sh", ".test", ".cmake",
        ".json")
STANDS_FOR = re.compile(r"(?<![A-Za-z])(NAME|TOPIC|MODEL|FILE|FOLDER|OTHER|STAGE)(?![A-Za-z])|<\w+>")
# Folders that a build or an installation makes.
MADE = ("build", "bin/", "lib/")


def pagesOf(paths):
    return [p for p in paths
            if p.endswith(".md") and not p.startswith("tools/mpf-bench/results/")]


def looksLikePath(word, tops):
    if word.startswith(("-", "/", "$", "~", ".")) or "://" in word or word.startswith(MADE):
        return False
    if word.endswith(OURS) or re.fullmatch(r"[\w.-]+(/[\w.*-]+)*/", word):
        return len(os.path.splitext(os.path.basename(word))[0]) > 0
    return word.split("/")[0] in tops and "/" in word


def alternatives(word):
    """`a/{b,c}/d` -> a/b/d, a/c/d"""
    match = re.search(r"\{([^{}]*)\}", word)
    if not match:
        return [word]
    return [full for one in match[1].split(",")
            for full in alternatives(word[:match.start()] + one + word[match.end():])]


def isThere(word, folder, entries):
    """Whether a word names an entry. `entries` has every file and, with a slash at its end, every folder."""
    for start in ([folder + "/" + word] if folder else []) + [word]:
        name = os.path.normpath(start) + ("/" if word.endswith("/") else "")
        if fnmatch.filter(entries, name) or name + "/" in entries:
            return True
    ends = fnmatch.filter(entries, "*/" + word)
    return len(ends) == 1 or ("*" in word and len(ends) > 1)


def wordsIn(path, text, tops):
    """Yields (line, word) of what may be a path."""
    if path.endswith(SOURCES):
        for passage in passagesOf(path, text):
            for word in COMMENTED.findall(passage.text):
                if word.split("/")[0] in tops:
                    yield passage.line, word
    else:
        for number, line in proseLines(text):
            for word in QUOTED.findall(line):
                yield number, word


def problemsIn(path, text, entries, tops):
    folder = os.path.dirname(path)
    for number, written in wordsIn(path, text, tops):
        for word in alternatives(written):
            if (word not in entries and looksLikePath(word, tops)
                    and not STANDS_FOR.search(os.path.splitext(word)[0])
                    and not isThere(word, folder, entries)):
                yield f"{path}:{number}: `{written}` names no file or folder, or several"


def main(root):
    files = sourceFiles(root)
    folders = {parent + "/" for path in files for parent in parents(path)}
    entries = set(files) | folders
    tops = {path.split("/")[0] for path in folders}
    pages = pagesOf(files) + [p for p in files if p.endswith(SOURCES)]
    problems = [p for page in pages for p in problemsIn(page, readText(root, page), entries, tops)]
    finish("names", problems, len(pages))


def parents(path):
    folder = os.path.dirname(path)
    while folder:
        yield folder
        folder = os.path.dirname(folder)


main(sys.argv[1])
