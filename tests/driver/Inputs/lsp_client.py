"""A client of `mpfc lsp`, for tests: it starts the server and speaks its protocol over pipes."""
import json
import os
import subprocess
import urllib.parse


def uriOf(path):
    return "file://" + urllib.parse.quote(os.path.abspath(path))


class Client:
    def __init__(self, mpfc, units=("utf-16",)):
        self.server = subprocess.Popen([mpfc, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.lastId = 0
        self.notices = []  # messages of the server that answer nothing, in their order
        self.versions = {}
        general = {"positionEncodings": list(units)}
        self.capabilities = self.ask("initialize", capabilities={"general": general})["result"]["capabilities"]
        self.tell("initialized")

    def sendBytes(self, content):
        self.server.stdin.write(content)
        self.server.stdin.flush()

    def send(self, **message):
        content = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.sendBytes(b"Content-Length: %d\r\n\r\n%s" % (len(content), content))

    def read(self):
        length = None
        while (line := self.server.stdout.readline().strip()):
            name, _, value = line.partition(b":")
            length = int(value) if name == b"Content-Length" else length
        assert length is not None, "the server has ended"
        return json.loads(self.server.stdout.read(length))

    def tell(self, method, **params):
        self.send(method=method, params=params)

    def begin(self, method, **params):
        self.lastId += 1
        self.send(id=self.lastId, method=method, params=params)
        return self.lastId

    def answer(self, number):
        while "id" not in (message := self.read()):
            self.notices.append(message)
        assert message["id"] == number, message
        return message

    def ask(self, method, **params):
        return self.answer(self.begin(method, **params))

    def about(self, method, uri, line, character, **params):
        """The result of a request about a place, or its error."""
        reply = self.ask(f"textDocument/{method}", textDocument={"uri": uri},
                         position={"line": line, "character": character}, **params)
        return reply.get("result", reply.get("error"))

    def open(self, uri, text):
        self.versions[uri] = 1
        self.tell("textDocument/didOpen",
                  textDocument={"uri": uri, "languageId": "mpf", "version": 1, "text": text})

    def change(self, uri, *changes):
        self.versions[uri] += 1
        self.tell("textDocument/didChange", contentChanges=changes,
                  textDocument={"uri": uri, "version": self.versions[uri]})

    def messages(self, uri, isWanted=lambda diagnostics: True):
        """The messages that the server publishes about the present version of a text. It may publish several
        times, if other files change.
        """
        while True:
            for place, message in enumerate(self.notices):
                params = message.get("params", {})
                if (params.get("uri") == uri and params.get("version") == self.versions[uri]
                        and isWanted(params["diagnostics"])):
                    del self.notices[place]
                    return params["diagnostics"]
            self.notices = [m for m in self.notices if m.get("params", {}).get("uri") != uri]
            self.notices.append(self.read())

    def residentBytes(self):
        with open(f"/proc/{self.server.pid}/status", encoding="ascii") as status:
            return next(1024 * int(line.split()[1]) for line in status if line.startswith("VmRSS"))

    def processorSeconds(self):
        with open(f"/proc/{self.server.pid}/stat", encoding="ascii") as stat:
            fields = stat.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self):
        """Ends the server as the protocol says, and returns its exit code."""
        assert self.ask("shutdown")["result"] is None
        self.tell("exit")
        return self.server.wait(10)


def changed(text, edits, unit="utf-16"):
    """The text after edits of the server, which do not overlap."""
    lines = text.splitlines(keepends=True) or [""]
    starts = [sum(map(len, lines[:i])) for i in range(len(lines) + 1)]

    def offset(position):
        if position["line"] >= len(lines):
            return len(text)
        line = lines[position["line"]].rstrip("\r\n").encode(unit + ("-le" if unit == "utf-16" else ""))
        width = 2 if unit == "utf-16" else 1
        return starts[position["line"]] + len(
            line[:position["character"] * width].decode(unit + ("-le" if unit == "utf-16" else "")))

    for edit in sorted(edits, key=lambda e: offset(e["range"]["start"]), reverse=True):
        begin, end = offset(edit["range"]["start"]), offset(edit["range"]["end"])
        text = text[:begin] + edit["newText"] + text[end:]
    return text
