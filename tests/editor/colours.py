"""The TextMate grammar colours every token of the examples, and none wrongly.

The regular expressions run in Oniguruma, as they do in VS Code. Words of the language have a scope. Names that the
language server knows have none, whatever they are called.

usage: colours.py MPFC
"""
import json
import os
import re
import sys

import onigurumacffi

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "tests", "driver", "Inputs"))
from editor_words import grammarWords, reservedWords  # noqa: E402
from lsp_client import Client, uriOf  # noqa: E402

# Texts with words of the language as names, in places where they are names.
NAMES = [
    "param leak = 0.5, cases = 2, posterior = 1, best[] = [1, 2], if = 2",
    "var evidence, sum, marginals : { gradient, where }",
    "factor where(evidence, sum) = (evidence == gradient) + leak + best[sum] + posterior * cases ^ if",
    "factor max(sum, marginals) = noisyor where noisyor = leak + if",
    "prob P(marginals) = [leak, 1 - leak]",
    "query evidence",
    "query best | evidence = gradient",
    "query count : f64 = sum() where * max",
    "observe marginals ~ posterior [leak, 1 - leak]",
    "query marginals(evidence)",
]
TOKEN = re.compile(
    r"""(?P<comment>#.*)|(?P<string>"(?:\\.|[^"\\])*")|(?P<quoted>`(?:\\.|[^`\\])*`)"""
    r"""|(?P<number>(?:[0-9]+(?:\.(?!\.)[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|(?P<name>[^\W\d]\w*)"""
    r"""|(?P<operator>\.\.|[=!<>]=|&&|\|\||[-+*/%^!<>=~|?:])|(?P<mark>[(){}\[\],])|(?P<blank>\s+)""")
SCOPES = {"comment": "comment.", "string": "string.", "quoted": "variable.other.quoted", "number": "constant.numeric",
          "operator": "keyword.operator", "mark": "", "blank": ""}


class Colours:
    """The part of TextMate's grammars that this one needs: matches with captures, and ranges within a line."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.patterns = [self.compiled(pattern) for pattern in json.load(file)["patterns"]]

    def compiled(self, pattern):
        known = {"name", "match", "begin", "end", "patterns", "captures"}
        assert set(pattern) <= known, set(pattern) - known
        return {**pattern, "start": onigurumacffi.compile(pattern.get("match") or pattern["begin"]),
                "stop": onigurumacffi.compile(pattern["end"]) if "end" in pattern else None,
                "inner": [self.compiled(inner) for inner in pattern.get("patterns", [])]}

    def first(self, patterns, line, at):
        """The first match from a place on, and its pattern: of several there the first in the list."""
        matches = [(match.start(), place, match) for place, pattern in enumerate(patterns)
                   if (match := pattern["start"].search(line, at))]
        return (patterns[min(matches)[1]], min(matches)[2]) if matches else (None, None)

    def scopes(self, line):
        """The outermost scope of each character."""
        found, at = [""] * len(line), 0
        while at < len(line):
            pattern, match = self.first(self.patterns, line, at)
            if match is None:
                break
            begin, end = match.span()
            while pattern["stop"]:
                stop, (_, inner) = pattern["stop"].search(line, end), self.first(pattern["inner"], line, end)
                if inner is None or stop.start() <= inner.start():
                    end = stop.end()
                    break
                end = inner.end()
            found[begin:end] = [pattern.get("name", "")] * (end - begin)
            for group, capture in pattern.get("captures", {}).items():
                if match.group(int(group)) is not None:
                    first, last = match.span(int(group))
                    found[first:last] = [capture["name"]] * (last - first)
            at = max(end, at + 1)
        return found


def namesOf(client, path, text):
    """The places, (line, character), of the names that the server knows."""
    client.open(uriOf(path), text)
    answer = client.ask("textDocument/semanticTokens/full", textDocument={"uri": uriOf(path)})
    numbers, line, character, places = answer["result"]["data"], 0, 0, set()
    for step, ahead, *_ in zip(*[iter(numbers)] * 5):
        line, character = line + step, ahead if step else character + ahead
        places.add((line, character))
    return places


def wrongTokens(colours, client, path, text, words, reserved):
    """Returns the number of tokens, and what is wrong with those that have a wrong scope."""
    known, count, wrong = namesOf(client, path, text), 0, []
    for number, line in enumerate(text.split("\n")):
        scopes, at = colours.scopes(line), 0
        while at < len(line):
            token = TOKEN.match(line, at)
            assert token, f"{path}:{number + 1}:{at + 1}: no token"
            kind, word = token.lastgroup, token.group()
            place = number, len(line[:at].encode("utf-16-le")) // 2
            if kind != "name":
                wanted = SCOPES[kind]
            else:
                wanted = "" if place in known or word not in words else "keyword." if word in reserved - {"inf"} else "*."
            has = set(scopes[at:token.end()])
            isRight = has == {""} if wanted == "" else len(has) == 1 and (
                next(iter(has)).startswith(wanted) or (wanted == "*." and has != {""}))
            if not isRight:
                wrong.append(f"{path}:{number + 1}:{at + 1}: {word} is {sorted(has)}, wanted {wanted or 'none'}")
            count += kind != "blank"
            at = token.end()
    return count, wrong


def main():
    colours = Colours(os.path.join(ROOT, "tools", "editor", "vscode", "syntaxes", "mpf.tmLanguage.json"))
    client = Client(sys.argv[1])
    words, reserved = grammarWords(), reservedWords()
    texts = [(os.path.join(ROOT, "examples", "names.mpf"), "\n".join(NAMES))]
    folders = [os.path.join(ROOT, "examples"), os.path.join(ROOT, "tests", "driver", "Inputs")]
    for folder, _, names in (entry for top in folders for entry in os.walk(top)):
        for name in sorted(names):
            if name.endswith(".mpf") and "wrong" not in name and "hostile" not in name:
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    texts.append((os.path.join(folder, name), file.read()))
    count = 0
    for path, text in texts:
        tokens, wrong = wrongTokens(colours, client, os.path.relpath(path), text, words, reserved)
        print("\n".join(wrong), end="\n" if wrong else "")
        count = count + tokens if not wrong else sys.exit(1)
    print(f"{len(texts)} texts, {count} tokens")
    assert count > 5000


main()
