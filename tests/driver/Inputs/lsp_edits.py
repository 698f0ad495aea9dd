"""Edits texts at random in `mpfc lsp`, and compares with the same texts opened as a whole. Then it measures many
changes of a text of 2,000 lines.

usage: lsp_edits.py MPFC ROOT [--edits N] [--changes N] [--seed N]
"""
import argparse
import glob
import os
import random
import statistics
import time

from lsp_client import Client, uriOf

PIECES = ["x", "wet", "yes", "0", "[", "]", "{", "}", "(", ")", ",", "=", ":", "..", "~", "|", "`", '"', "#", "\n",
          "\r\n", "\r", " ", "\u00e9", "\U0001f327", "\x00", "for i in 0..3: ", "observe ", "query ", "param n = 3\n",
          "def f(a) = a\n", "var q : { a, b }\n", "input", "sum(i in 0..2: i)", "where q = 1", 'include "a.mpf"\n',
          "exp(", "-", "1e400", "999999999"]
METHODS = ["hover", "definition", "references", "completion", "documentHighlight", "prepareRename", "rename"]
MAX_WORK = 0.1  # seconds of the processor for a change; other programs may share the clock


def placeAt(text, at):
    """The place of an offset in UTF-16 units. Lines end with \\n, \\r\\n or \\r."""
    before = text[:at].replace("\r\n", "\n ").replace("\r", "\n")
    if text[:at].endswith("\r") and text[at:at + 1] == "\n":
        before = before[:-1]  # the end of the line is not behind its first half
    start = before.rfind("\n") + 1
    line = text[:at][start:]
    if start and text[start - 1:start + 1] == "\r\n":
        line = line[1:]
    return {"line": before.count("\n"), "character": len(line.encode("utf-16-le")) // 2}


def sameMessages(client, uri, text, twin):
    client.open(twin, text)
    whole = client.messages(twin)
    client.tell("textDocument/didClose", textDocument={"uri": twin})
    edited = client.messages(uri)
    assert str(edited).replace(uri, twin) == str(whole), (text, edited, whole)


def editAtRandom(mpfc, root, count, chance):
    texts = sorted(glob.glob(os.path.join(root, "examples/**/*.mpf"), recursive=True)
                   + glob.glob(os.path.join(root, "tests/run/*.mpf")))
    client = Client(mpfc)
    for done in range(count):
        if done % 10 == 0:
            path = chance.choice(texts)
            uri, twin = uriOf(path), uriOf(os.path.join(os.path.dirname(path), "twin.mpf"))
            with open(path, encoding="utf-8", newline="") as file:
                text = file.read()[:20000]
            client.open(uri, text)
        changes = []
        for _ in range(chance.randrange(1, 5)):  # each is of the text behind the one before
            begin = chance.randrange(len(text) + 1)
            end = min(len(text), begin + chance.choice([0, 0, 1, 3, 20]))
            piece = "".join(chance.choice(PIECES) for _ in range(chance.randrange(3)))
            if text[begin - 1:begin + 1] == "\r\n" or text[end - 1:end + 1] == "\r\n":
                continue  # no place names the middle of such an end of a line
            changes.append({"range": {"start": placeAt(text, begin), "end": placeAt(text, end)}, "text": piece})
            text = text[:begin] + piece + text[end:]
        client.change(uri, *changes)
        sameMessages(client, uri, text, twin)
        place = placeAt(text, chance.randrange(len(text) + 1))
        reply = client.about(chance.choice(METHODS), uri, **place, newName="fresh",
                             context={"includeDeclaration": True})
        assert not isinstance(reply, dict) or reply.get("code") in (None, -32803), reply
        if done % 10 == 9:
            client.tell("textDocument/didClose", textDocument={"uri": uri})
    assert client.close() == 0
    print(f"{count} edits agree")


def longText(lines):
    """A chain of variables with their tables."""
    count = lines // 2 - 3
    text = ["model long", "domain yesno = { no, yes }", "param p = 0.25", "var x0 : yesno", "prob P(x0) = [1 - p, p]"]
    for i in range(1, count):
        text += [f"var x{i} : yesno", f"prob P(x{i} | x{i - 1}) = {{ no: [0.9, 0.1], yes: [{i}/2000, 1 - {i}/2000] }}"]
    text += ["query marginals"] + [f"query P(x{i})" for i in range(lines - len(text) - 1)]
    return "\n".join(text) + "\n"


def measureChanges(mpfc, count, chance):
    client, uri = Client(mpfc), "file:///long.mpf"
    text = longText(2000)
    assert text.count("\n") == 2000
    client.open(uri, text)
    assert client.messages(uri) == []
    times, settled = [], None
    for done in range(count):
        line = chance.randrange(3, 1900)
        place = {"line": line, "character": 3}
        started = time.perf_counter()
        client.change(uri, {"range": {"start": place, "end": place}, "text": chance.choice(["q", " ", "("])})
        client.messages(uri)
        times.append(time.perf_counter() - started)
        if done % 20 == 19:
            client.about("completion", uri, line, 4)
            client.change(uri, {"text": text})
            client.messages(uri)
        if done == count // 4:
            settled = client.residentBytes()
    grown = client.residentBytes() - settled
    work = client.processorSeconds() / count
    assert work < MAX_WORK, f"{work} s"
    assert grown < 16 << 20, f"{grown} bytes more memory"
    assert client.close() == 0
    print(f"{count} changes of 2000 lines: median {1000 * statistics.median(times):.1f} ms, greatest "
          f"{1000 * max(times):.1f} ms, {1000 * work:.1f} ms of work, {settled >> 20} MiB, {grown >> 20} MiB more at the end")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mpfc")
    parser.add_argument("root")
    parser.add_argument("--edits", type=int, default=0)
    parser.add_argument("--changes", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    if options.edits:
        editAtRandom(options.mpfc, options.root, options.edits, chance)
    if options.changes:
        measureChanges(options.mpfc, options.changes, chance)


main()
