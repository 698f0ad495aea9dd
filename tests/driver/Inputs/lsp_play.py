"""Plays recorded messages to `mpfc lsp` and compares what it sends.

A line `-> {...}` is a message of the client, a line `<- {...}` the next one of the server; other lines are
comments. FOLDER stands for the folder of the play. With --record the lines of the server are written anew: one
behind each request, each opened text and each change.

usage: lsp_play.py MPFC PLAY [--record]
"""
import json
import os
import subprocess
import sys

from lsp_client import uriOf


def read(server):
    header = server.stdout.readline() + server.stdout.readline()
    message = json.loads(server.stdout.read(int(header.split(b":")[1])))
    assert message.pop("jsonrpc") == "2.0"
    return message


def main():
    mpfc, path = sys.argv[1:3]
    folder, count = uriOf(os.path.dirname(path)), 0
    isRecording = "--record" in sys.argv
    server = subprocess.Popen([mpfc, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    for number, line in enumerate(lines, 1):
        text = line[3:].replace("FOLDER", folder)
        if line.startswith("-> "):
            server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(text.encode()), text.encode()))
            server.stdin.flush()
            method = json.loads(text)["method"]
            if isRecording and ("id" in text[:6] or method in ("textDocument/didOpen", "textDocument/didChange")):
                print(line, "<- " + json.dumps(read(server)).replace(folder, "FOLDER"), sep="\n")
            elif isRecording:
                print(line)
        elif line.startswith("<- ") and not isRecording:
            count += 1
            got = read(server)
            if got != json.loads(text):
                sys.exit(f"{path}:{number}: the server sends\n{json.dumps(got)}\nin place of\n{text}")
    code = server.wait(10)
    assert server.stdout.read() == b""
    if not isRecording:
        print(f"{count} messages agree, exit code {code}")


main()
