"""The prose of the source tree: comments of C++, CMake and Python, and pages in Markdown, as sentences."""
import io
import re
import tokenize

# Lines of comments that are for programs, drawings or examples.
FOR_PROGRAMS = re.compile(r"\s*(NOLINT|clang-format|shellcheck|pylint|type:|RUN:|CHECK|!/)")
EXAMPLE = re.compile(r"(\s{3,}|\s*[|+`\\]|\s*[-=*#]{3,})")
ITEM = re.compile(r"\s*([-*]|\d+[.)])\s+")
# A sentence ends behind one of .?! (and closing marks) if a space and no small letter follow.
END = re.compile(r"""[.?!][)"'`*]*(?=\s+[^a-z\s]|\s*$)""")
NO_END = re.compile(r"\b(e\.g|i\.e|cf|vs|etc|[Ff]ig|[Ee]q|pp|vol|et al|[A-Z])\.$|\.\.\.?$")
STRING = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
RAW = r'R"(?P<mark>[^()\s]*)\(.*?\)(?P=mark)"'
CXX = re.compile(rf"{RAW}|{STRING}|(?P<line>//[^\n]*)|(?P<block>/\*.*?\*/)", re.DOTALL)


class Passage:
    """Lines of prose that belong together: a comment, a paragraph, an item of a list, a cell of a table."""

    def __init__(self, line, text, isTitle=False):
        self.line, self.text, self.isTitle = line, text.strip(), isTitle

    def sentences(self):
        start = 0
        for end in END.finditer(self.text):
            if not NO_END.search(self.text[start:end.end()]):
                yield self.text[start:end.end()].strip()
                start = end.end()
        if self.text[start:].strip():
            yield self.text[start:].strip()


def joined(lines):
    """Passages of (number, text, whether it may continue the line before)."""
    passage, isExample = None, False
    for number, text, continues in lines:
        isItem = ITEM.match(text)
        isExample = bool(EXAMPLE.match(text)) and not (passage and not isItem and continues and passage[2])
        if not text.strip() or FOR_PROGRAMS.match(text) or isExample:
            if passage:
                yield Passage(*passage[:2])
            passage = None
        elif passage and continues and not isItem:
            passage = (passage[0], f"{passage[1]} {text.strip()}", passage[2])
        else:
            if passage:
                yield Passage(*passage[:2])
            passage = (number, text[isItem.end():] if isItem else text, bool(isItem))
    if passage:
        yield Passage(*passage[:2])


def cxxPassages(text):
    lines = []
    for match in CXX.finditer(text):
        number = text.count("\n", 0, match.start()) + 1
        start = text.rfind("\n", 0, match.start()) + 1
        column = match.start() - start
        trails = bool(text[start:match.start()].strip())
        if match["line"]:
            body = re.sub(r"^//[/!]?<?", "", match[0])
            follows = bool(lines) and lines[-1][0] == number - 1 and lines[-1][3] == column
            isNew = match[0].startswith("///<") or (trails and not follows)
            lines.append((number, body, follows and not isNew, column))
        elif match["block"]:
            for more, line in enumerate(match[0][2:-2].split("\n")):
                lines.append((number + more, re.sub(r"^\s*\*", "", line), more > 0, -1))
    return joined(line[:3] for line in lines)


def hashPassages(text, isPython):
    lines = []
    if isPython:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            number = token.start[0]
            if token.type == tokenize.COMMENT:
                follows = bool(lines) and lines[-1][0] == number - 1
                lines.append((number, token.string.lstrip("#"), follows and not token.line[:token.start[1]].strip()))
            elif token.type == tokenize.STRING and token.line.lstrip().startswith(('"""', 'r"""')):
                for more, line in enumerate(token.string.strip('r"').split("\n")):
                    lines.append((number + more, line.strip() if line.startswith("    ") and token.start[1] else line,
                                  more > 0))
    else:
        for number, line in enumerate(text.splitlines(), 1):
            if line.lstrip().startswith("#"):
                follows = bool(lines) and lines[-1][0] == number - 1
                lines.append((number, line.lstrip().lstrip("#"), follows))
    return joined(lines)


def pagePassages(text):
    lines, passages, fenced = [], [], False
    for number, line in enumerate(text.splitlines(), 1):
        # Lines between such comments come from data that tests compare with them.
        if line.startswith("```") or re.match(r"<!-- (\w+: generated|end) ", line):
            fenced = not fenced
            line = ""
        if fenced or line.startswith("    ") or line.startswith("#"):
            lines.append((number, "", False))
        elif line.startswith("|"):
            passages += [Passage(number, cell) for cell in re.split(r"(?<!\\)\|", line) if cell.strip(" -:")]
            lines.append((number, "", False))
        else:
            lines.append((number, line, True))
    return passages + list(joined(lines))


def passagesOf(path, text):
    if path.endswith((".h", ".cpp", ".cuh", ".cu")):
        return cxxPassages(text)
    if path.endswith(".md"):
        return pagePassages(text)
    return hashPassages(text, path.endswith(".py"))
