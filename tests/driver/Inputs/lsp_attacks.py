"""Sends what could crash, stop or swell `mpfc lsp`. Each attack has a server of its own, which must answer afterwards.

usage: lsp_attacks.py MPFC FOLDER
"""
import gzip
import json
import os
import sys
import time

from lsp_client import Client, uriOf

FEATURES = ["hover", "definition", "references", "documentHighlight", "prepareRename", "rename", "completion",
            "documentSymbol", "documentLink", "formatting", "codeAction", "semanticTokens/full"]
MAX_WORK = 5  # seconds of the processor for one attack; the quadratic and exponential faults took more


def write(folder, name, content):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(content)


def longText(client, folder):
    uri = uriOf(os.path.join(folder, "long.mpf"))
    client.open(uri, "# comment\n" * 500_000 + "var x : 2\n")
    assert "not checked to the end" in client.messages(uri)[0]["message"]
    for feature in FEATURES:
        client.about(feature, uri, 0, 4, newName="y", context={}, options={},
                     range={"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}})
    # A change that makes a text too long to be checked is refused.
    client.open(uri, "var x : 2\n#" + "#" * ((4 << 20) - 300))
    client.messages(uri)
    assert "is not checked" in client.about("rename", uri, 0, 4, newName="y" * 500)["message"]


def nestedIds(client, folder):
    deep = b"[" * 200_000 + b"]" * 200_000
    for message in (b'{"id":%s,"method":"x"}' % deep, b'{"id":1.5,"method":"x"}', b'{"id":null,"method":"x"}'):
        client.sendBytes(b"Content-Length: %d\r\n\r\n%s" % (len(message), message))
        answer = client.read()
        assert answer["error"]["code"] == -32600 and answer["id"] is None, answer
    message = b'{"method":"$/cancelRequest","params":{"id":%s}}' % deep
    client.sendBytes(b"Content-Length: %d\r\n\r\n%s" % (len(message), message))


def diamonds(client, folder):
    for i in range(26):
        write(folder, f"f{i}.mpf", f'include "f{i + 1}.mpf"\ninclude "f{i + 1}.mpf"\n'.encode())
    write(folder, "f26.mpf", b"var z : 2\n")
    write(folder, "bad.mpf", b"observe nothing = 1\n")
    uri = uriOf(os.path.join(folder, "a.mpf"))
    client.open(uri, 'include "f0.mpf"\ninclude "bad.mpf"\n')
    assert [m["range"]["start"]["line"] for m in client.messages(uri)] == [1]


def files(client, folder):
    write(folder, "h.mpf.gz", gzip.compress(b"# a comment of a long text\n" * 2_000_000, 1))
    for i in range(8):
        write(folder, f"c{i}.csv", b"1,2\n" * 900_000)
    uri = uriOf(os.path.join(folder, "reads.mpf"))
    text = "".join(f'param a{i}[][] = file("c{i}.csv")\n' for i in range(8))
    for path in ("/proc/self/pagemap", "/proc/self/fd/0", "/dev/zero"):
        text += f'param b{len(text)}[] = file("{path}")\n'
    client.open(uri, text)
    found = client.messages(uri)
    limits = [m for m in found if "16777216 in all" in m["message"] and m["severity"] == 3]
    assert len(limits) == 4 and sum("no file with an end" in m["message"] for m in found) == 3, found
    client.change(uri, {"text": 'include "h.mpf.gz"\n'})
    assert "the editor reads at most" in str(client.messages(uri))


def manyMessages(client, folder):
    big = json.dumps({"method": "$/unknown", "params": "x" * (24 << 20)}).encode()
    client.sendBytes(b"Content-Length: %d\r\n\r\n%s" % (len(big), big))
    content = []
    for i in range(20_000):
        message = b'{"method":"$/cancelRequest","params":{"id":%d}}' % i
        content.append(b"Content-Length: %d\r\n\r\n%s" % (len(message), message))
    client.sendBytes(b"".join(content))


def manyEdits(client, folder):
    uri = uriOf(os.path.join(folder, "edits.mpf"))
    client.open(uri, "# abcdefgh abcdefgh abcdefgh\n" * 4000)
    client.change(uri, *({"range": {"start": {"line": i, "character": 2}, "end": {"line": i, "character": 10}},
                          "text": "xyz"} for i in range(4000)))
    assert client.messages(uri) == []
    client.change(uri, {"text": "var x : { " + ", ".join(f"l{i}" for i in range(3000)) + " }\nfactor f("
                        + ", ".join(["x"] * 3000) + ") = {"})
    assert len(client.about("completion", uri, 1, 100_000)["items"]) == 2000
    client.messages(uri)
    # One file is one text.
    twin = uri.replace("edits", "%65dits")
    client.tell("textDocument/didOpen", textDocument={"uri": twin, "languageId": "mpf", "version": 1, "text": "var"})
    assert "is open as" in client.read()["params"]["message"]


def main():
    mpfc, folder = sys.argv[1:]
    for attack in (longText, nestedIds, diamonds, files, manyMessages, manyEdits):
        client = Client(mpfc)
        attack(client, folder)
        assert client.ask("nothing")["error"]["code"] == -32601
        work, memory = client.processorSeconds(), client.residentBytes()
        assert work < MAX_WORK and memory < 512 << 20, f"{attack.__name__}: {work} s, {memory} bytes"
        assert client.close() == 0
        print(f"{attack.__name__}: {work:.2f} s, {memory >> 20} MiB", file=sys.stderr)
    print("every attack was answered")


main()
