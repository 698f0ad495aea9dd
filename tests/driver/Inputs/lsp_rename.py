"""Renames declared names of models by `mpfc lsp`, and compares what mpfc reads before and after: the model must be
the same, but for the name.

usage: lsp_rename.py MPFC COUNT FILE...
  COUNT: how many names, chosen at random; 0: all
"""
import os
import random
import re
import subprocess
import sys

from lsp_client import Client, changed, uriOf

FRESH = "freshName"


def modelOf(mpfc, path, text):
    run = subprocess.run([mpfc, "--emit=model", "-"], input=text, capture_output=True, text=True,
                         cwd=os.path.dirname(path))
    return run.stdout if run.returncode == 0 else None


def declaredNames(client, uri):
    """The places of declarations, by the tokens of the server."""
    data = client.ask("textDocument/semanticTokens/full", textDocument={"uri": uri})["result"]["data"]
    line = character = 0
    for i in range(0, len(data), 5):
        character = data[i + 1] + (character if data[i] == 0 else 0)
        line += data[i]
        if data[i + 4] & 1:
            yield line, character


def main():
    mpfc, count, paths = os.path.abspath(sys.argv[1]), int(sys.argv[2]), sorted(map(os.path.abspath, sys.argv[3:]))
    client = Client(mpfc)
    texts, places = {}, []
    for path in paths:
        with open(path, encoding="utf-8", newline="") as file:
            texts[path] = file.read()
        client.open(uriOf(path), texts[path])
        places += [(path, place) for place in declaredNames(client, uriOf(path))]
        client.tell("textDocument/didClose", textDocument={"uri": uriOf(path)})
    if count:
        places = random.Random(1).sample(places, count)
    renamed = skipped = 0
    last = before = None
    for path, (line, character) in sorted(places):
        uri = uriOf(path)
        if path != last:
            if last:
                client.tell("textDocument/didClose", textDocument={"uri": uriOf(last)})
            client.open(uri, texts[path])
            last, before = path, modelOf(mpfc, path, texts[path])
        name = client.about("prepareRename", uri, line, character)["placeholder"]
        edits = client.about("rename", uri, line, character, newName=FRESH)
        if "changes" not in edits or before is None or list(edits["changes"]) != [uri]:
            print(f"{path}:{line + 1}:{character + 1}: {edits.get('message', 'no model, or several files')}")
            skipped += 1
            continue
        after = modelOf(mpfc, path, changed(texts[path], edits["changes"][uri]))
        isPlain = re.fullmatch(r"[A-Za-z_]\w*", name)  # others are printed in quotes
        if after is None or (isPlain and re.sub(rf"\b{FRESH}\b", name, after) != before):
            sys.exit(f"{path}:{line + 1}:{character + 1}: renaming {name} makes another model")
        renamed += 1
    assert client.close() == 0
    print(f"{renamed} names renamed, {skipped} refused")


main()
