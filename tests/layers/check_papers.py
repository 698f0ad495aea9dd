"""Checks that papers cited by author and year, in comments and pages, have an entry in codegen/PAPERS.md.

usage: check_papers.py ROOT
"""
import re
import sys

from tree import finish, readText, sourceFiles

PAPERS = "codegen/PAPERS.md"
# A citation like "Liu 1990", "Gray and Kourtis 2021", "Steele, Lea and Flood 2014" or "Chen et al. 2016".
# The groups are the last author (or the first before "et al.") and the year. The year must end a phrase,
# which "(2000 leaves" does not.
CITED = re.compile(r"\b(?:([A-Z][a-z]+) et al\.|([A-Z][a-z]+)),? \(?((?:19|20)\d\d)\b(?=$|[,;:.)\"]| \(| and| for)")
# Words before a year that name no author: months, venues, editions.
NO_AUTHORS = {"The", "In", "Of", "Since", "Seed", "January", "February", "March", "April", "May", "June",
              "July", "August", "September", "October", "November", "December"}
COMMENT = re.compile(r"\s*(?:///?<?|#)\s?(.*)")
DOCSTRING = re.compile(r'"""(.*?)"""', re.DOTALL)


def comments(path, text):
    """Returns, in one line, all words of a page, or the words of a file's comments and docstrings."""
    if path.endswith(".md"):
        return " ".join(text.split())
    words = [match[1] for match in map(COMMENT.match, text.splitlines()) if match]
    if path.endswith(".py"):
        words += DOCSTRING.findall(text)
    return " ".join(" ".join(words).split())


def main(root):
    rows = [line for line in readText(root, PAPERS).splitlines() if line.startswith("| ")]
    cited = 0
    problems = []
    files = [p for p in sourceFiles(root, ".h", ".cpp", ".cuh", ".cu", ".py", "README.md")
             if not p.startswith(("tests/fuzz/corpus/", "tests/layers/"))]
    for path in files:
        for match in CITED.finditer(comments(path, readText(root, path))):
            author, year = match[1] or match[2], match[3]
            if author in NO_AUTHORS:
                continue
            cited += 1
            if not any(re.search(rf"\b{author}\b", row) and year in row for row in rows):
                problems.append(f"{path}: {author} {year} is not in {PAPERS}")
    finish("papers", problems, cited)


main(sys.argv[1])
