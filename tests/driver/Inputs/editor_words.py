"""Compares the words of the language in every place that lists them.

The places are the grammar of LANGUAGE.md, the reserved words, the language server and the colours of editors.
"""
import json
import os
import re

# Rules of the grammar whose quoted letters are parts of numbers, names and strings.
LETTERS = {"name", "plainName", "number", "string", "escape"}


ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def grammarWords():
    grammar = re.search(r"```ebnf\n(.*?)```", read("dsl/LANGUAGE.md"), re.DOTALL)[1]
    words = set()
    for name, rule in re.findall(r"^(\w+)\s*=(.*?) ;$", grammar, re.DOTALL | re.MULTILINE):
        if name not in LETTERS:
            words |= set(re.findall(r'"(\w+)"', rule))
    return words


def reservedWords():
    return set(re.findall(r'^MPF_(?:WORD|DECL)\(\w+, "(\w+)"\)', read("dsl/syntax/token.def"), re.MULTILINE))


def listed(path, line, separator):
    """The words between parentheses, or behind the first word, of the lines that match."""
    return {word for match in re.findall(line, read(path)) for word in re.split(separator, match)}


def main():
    words, reserved = grammarWords(), reservedWords()
    places = {
        "the language server": set(re.findall(r'^    \{"(\w+)",',
                                              read("tools/mpfc/lsp/language_words.cpp"), re.MULTILINE)),
        "mpf.tmLanguage.json": {
            word for pattern in json.loads(read("tools/editor/vscode/syntaxes/mpf.tmLanguage.json"))["patterns"]
            for group in re.findall(r"\(([a-zA-Z][\w|]*)\)", pattern.get("match", ""))
            for word in group.split("|")},
        "mpf.vim": listed("tools/editor/vim/syntax/mpf.vim", r"syntax keyword \w+ (.*)", " ")
                   | listed("tools/editor/vim/syntax/mpf.vim", r"\\<\\\(([\w\\|]+)\\\)", r"\\\|"),
    }
    assert reserved <= words and len(words) > 60, reserved - words
    for place, known in places.items():
        for word in sorted(words ^ known):
            print(f"{place} {'lacks' if word in words else 'has, and the grammar lacks,'} {word}")
    print(f"{len(words)} words")


if __name__ == "__main__":
    main()
