"""Reads the classes of C++ sources: their functions and their data members.

It splits a text into tokens and follows brackets; it knows no types. It needs neither a compiler nor the
options of a build, and reads the whole tree in seconds.
"""
import dataclasses
import re

TOKEN = re.compile(r'''
    (?P<skip> \s+ | //[^\n]* | /\*.*?\*/ | ^[ \t]*\#(?:[^\n\\]|\\.)*$ )
  | (?P<raw> (?:u8|[uUL])?R"(?P<mark>[^()\s\\]*)\(.*?\)(?P=mark)" )
  | (?P<text> "(?:[^"\\\n]|\\.)*" | (?<![0-9a-fA-F])'(?:[^'\\\n]|\\.)*' )
  | (?P<word> \w(?:\w|(?<=\w)'(?=\w))* )
  | (?P<sign> :: | -> | <=> | == | != | <= | >= | && | \|\| | \S )
''', re.VERBOSE | re.DOTALL | re.MULTILINE)
CLOSING = {"(": ")", "{": "}", "[": "]"}
KEYS = ("class", "struct", "union")
NO_MEMBER = ("using", "typedef", "friend", "static_assert", "enum")
# Words with parentheses that are no functions.
SPECIFIERS = ("alignas", "decltype", "noexcept", "explicit", "requires", "__attribute__")


@dataclasses.dataclass
class Class:
    name: str  # with the names of the classes around it
    line: int
    functions: set = dataclasses.field(default_factory=set)  # by name: overloads are one
    data: list = dataclasses.field(default_factory=list)  # without constants
    changes: bool = False  # a function other than constructors and assignments may change an object


def tokensOf(text):
    """Returns (token, line) without comments, directives of the preprocessor and strings' contents."""
    tokens, line = [], 1
    for found in TOKEN.finditer(text):
        kind = found.lastgroup if found.lastgroup != "mark" else "raw"
        if kind != "skip":
            tokens.append(('""' if kind in ("raw", "text") else found[0], line))
        line += found[0].count("\n")
    return tokens


def endOf(tokens, at):
    """Returns the index behind the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(tokens)):
        token = tokens[i][0]
        depth += (token in CLOSING) - (token in CLOSING.values())
        if depth == 0:
            return i + 1
    raise ValueError(f"line {tokens[at][1]}: {tokens[at][0]} is not closed")


def endOfAngles(tokens, at, end):
    """Returns the index behind the > that closes the < at `at`, or None if that is a comparison."""
    depth, i = 0, at
    while i < end:
        token = tokens[i][0]
        if token in CLOSING:
            i = endOf(tokens, i)
            continue
        if token in (";", "&&", "||"):
            # A reference to an rvalue may stand in a list of types: T<U &&>.
            if token == ";" or tokens[i + 1][0] not in (">", ",", "..."):
                return None
        depth += (token == "<") - (token == ">")
        i += 1
        if depth == 0:
            return i
    return None


class Reader:
    def __init__(self, text):
        self.tokens = tokensOf(text)
        self.found = []

    def word(self, at):
        return self.tokens[at][0] if at < len(self.tokens) else ""

    def skip(self, at, end):
        """Returns the index behind the token at `at`, or behind what it opens."""
        if self.word(at) in CLOSING:
            return endOf(self.tokens, at)
        if self.word(at) == "<" and at > 0 and self.word(at - 1) != "operator":
            return endOfAngles(self.tokens, at, end) or at + 1
        return at + 1

    def read(self):
        """Returns the classes, also those inside functions."""
        self.readPlain(0, len(self.tokens), "")
        return self.found

    def readPlain(self, at, end, around):
        """Looks for classes in tokens that are no members."""
        while at < end:
            if self.word(at) == "template" and self.word(at + 1) == "<":
                at = endOfAngles(self.tokens, at + 1, end) or at + 2
            elif body := self.classBody(at, end):
                at = self.readClass(at, body, around)
            else:
                at += 1

    def classBody(self, at, end):
        """Returns the index of the { of a class that begins at `at`, else None."""
        if self.word(at) not in KEYS or self.word(at - 1) in ("enum", "friend"):
            return None
        at += 1
        while at < end and self.word(at) not in (";", "=", ")", ">", ",", "*", "&"):
            if self.word(at) == "{":
                return at
            if self.word(at) == "(" and self.word(at - 1) != "alignas":
                return None
            if self.word(at) == ":":  # bases
                while at < end and self.word(at) not in ("{", ";"):
                    at = self.skip(at, end) if self.word(at) == "<" else at + 1
                continue
            at = self.skip(at, end)
        return None

    def readClass(self, at, body, around):
        """Reads the class at `at` and returns the index behind its closing bracket."""
        names = []  # of the class, after those of the classes around it: `class A::B`
        i = at + 1
        while i < body and self.word(i) != ":":
            if re.fullmatch(r"\w+", self.word(i)) and self.word(i) not in ("final", "alignas"):
                names = (names if self.word(i - 1) == "::" else []) + [self.word(i)]
            i = self.skip(i, body)
        name = names[-1] if names else ""
        read = Class("::".join(([around] if around else []) + names), self.tokens[at][1])
        if name:
            self.found.append(read)
        end = endOf(self.tokens, body)
        self.readMembers(body + 1, end - 1, read, name)
        if not name and around:  # members of an unnamed union belong to the class around it
            self.unnamed = read
        return end

    def readMembers(self, at, end, into, name):
        while at < end:
            if self.word(at) in ("public", "protected", "private") and self.word(at + 1) == ":":
                at += 2
            elif self.word(at) == ";":
                at += 1
            else:
                at = self.readMember(at, end, into, name)

    def readMember(self, at, end, into, name):
        """Reads one declaration and returns the index behind it."""
        if self.word(at) == "template":
            at = endOfAngles(self.tokens, at + 1, end)
        start = at
        if self.word(at) in NO_MEMBER or (self.word(at) in KEYS and self.word(at + 2) == ";"):
            while self.word(at) != ";" and at < end:
                at = self.skip(at, end) if self.word(at) in CLOSING else at + 1
                if self.word(at - 1) == "}" and self.word(start) == "friend":
                    return at  # a friend that is defined here
            return at + 1
        heads = []  # indices of tokens; of brackets, only the opening one
        declared = 0  # index behind a class that is defined here
        function = None  # index of the parentheses with parameters
        assigned = False
        while at < end and self.word(at) != ";":
            token = self.word(at)
            if not assigned and function is None and (body := self.classBody(at, end)):
                self.unnamed = None
                at = declared = self.readClass(at, body, into.name)
                if self.unnamed and self.word(at) == ";":
                    into.data += self.unnamed.data
                continue
            if token == "=" and self.word(at - 1) != "operator":
                assigned = True
            if token == "(" and not assigned and function is None and self.opensParameters(start, at):
                function = at
            if token == "{":
                behind = endOf(self.tokens, at)
                if function is not None and not self.isInitializer(at, behind):
                    self.readPlain(at + 1, behind - 1, into.name)
                    self.addFunction(start, function, at, into, name)
                    return behind
            heads.append(at)
            at = self.skip(at, end)
        if function is not None:
            self.addFunction(start, function, at, into, name)
        elif not declared or heads:
            self.addData(heads, into)
        return at + 1

    def opensParameters(self, start, at):
        """True if the ( at `at` opens parameters: a name is before it, and no * or & behind it."""
        before = self.word(at - 1)
        if before in SPECIFIERS or self.word(at + 1) in ("*", "&"):
            return False
        return any(self.word(i) == "operator" for i in range(start, at)) or bool(
            re.fullmatch(r"[A-Za-z_]\w*", before))

    def isInitializer(self, at, behind):
        """True if the { at `at` initializes a member in a constructor's list: `: a{1}, b{2} {`."""
        return self.word(behind) in (",", "{") and re.fullmatch(r"\w+|>", self.word(at - 1)) is not None \
            and self.word(at - 1) not in ("const", "noexcept", "override", "final", "try")

    def addFunction(self, start, parameters, end, into, name):
        words = [self.word(i) for i in range(start, parameters)]
        tail = [self.word(i) for i in range(endOf(self.tokens, parameters), end)]
        if tail[-2:] == ["=", "delete"]:
            return
        if "operator" in words:
            spelled = "operator" + "".join(words[words.index("operator") + 1:])
            if words[-1] == "operator":  # operator()
                spelled = "operator()"
                tail = tail[self.skipParameters(tail):]
        else:
            spelled = ("~" if words[-2:-1] == ["~"] else "") + words[-1]
        into.functions.add(spelled)
        isSpecial = spelled in (name, "~" + name, "operator=") or "static" in words
        head = tail[:tail.index(":")] if ":" in tail else tail
        if not isSpecial and "const" not in head and "friend" not in words:
            into.changes = True

    @staticmethod
    def skipParameters(tail):
        depth = 0
        for i, token in enumerate(tail):
            depth += (token == "(") - (token == ")")
            if depth == 0:
                return i + 1
        return len(tail)

    def addData(self, heads, into):
        words = [self.word(i) for i in heads]
        if "constexpr" in words or not words:
            return
        # Each declarator ends at a comma; its name is the last word before its initializer.
        last, isNamed = "", False
        for i in heads + [None]:
            token = "," if i is None else self.word(i)
            if token == ",":
                if last:
                    into.data.append(last)
                last, isNamed = "", False
            elif token in ("=", "{", "[", ":"):
                isNamed = True
            elif token == "(":  # a pointer to a function: its name is in the first parentheses
                if not isNamed:
                    last = self.word(endOf(self.tokens, i) - 2)
                isNamed = True
            elif not isNamed and re.fullmatch(r"[A-Za-z_]\w*", token):
                last = token


def classesOf(text):
    """Returns the classes of a text. Throws ValueError if its brackets do not match."""
    return Reader(text).read()
