"""Drives `mpfc lsp` as an editor does.

usage: lsp_session.py MPFC FOLDER
"""
import os
import subprocess
import sys
import time

from lsp_client import Client, changed, uriOf

MODEL = """# The weather.
model lawn
domain yesno = { no, yes }
param p = 0.25
# How rain starts.
def start(q) = [1 - q, q]
var rain, wet : yesno  # both are seen
prob P(rain) = start(p)
prob P(wet | rain) = { no: [1, 0], yes: [0.2, 0.8] }
observe wet = yes
query P(rain)
"""


def placeOf(text, word, count=1):
    """The line and the character (in UTF-16 units) where the word stands for the count-th time."""
    at = -1
    for _ in range(count):
        at = text.index(word, at + 1)
    start = text.rfind("\n", 0, at) + 1
    return text.count("\n", 0, at), len(text[start:at].encode("utf-16-le")) // 2


def edit(begin, end, text):
    return {"range": {"start": dict(zip(("line", "character"), begin)),
                      "end": dict(zip(("line", "character"), end))}, "text": text}


def checkNames(client, uri):
    client.open(uri, MODEL)
    assert client.messages(uri) == []
    hover = client.about("hover", uri, *placeOf(MODEL, "rain)"))["contents"]["value"]
    assert "var rain : { no, yes }" in hover, hover
    hover = client.about("hover", uri, *placeOf(MODEL, "start(p"))["contents"]["value"]
    assert "def start(q) = [1 - q, q]" in hover and "How rain starts." in hover, hover
    assert "param p = 0.25" in str(client.about("hover", uri, *placeOf(MODEL, "p)\nprob")))
    assert "label of state 1" in str(client.about("hover", uri, *placeOf(MODEL, "yes\nquery")))
    assert "evidence" in str(client.about("hover", uri, *placeOf(MODEL, "observe")))
    assert client.about("hover", uri, 0, 3) is None
    definition = client.about("definition", uri, *placeOf(MODEL, "rain)\n"))
    assert definition["range"]["start"] == dict(zip(("line", "character"), placeOf(MODEL, "rain, wet")))
    places = client.about("references", uri, *placeOf(MODEL, "yes }"), context={"includeDeclaration": True})
    assert [p["range"]["start"]["line"] for p in places] == [2, 8, 9], places
    places = client.about("references", uri, *placeOf(MODEL, "q]"), context={"includeDeclaration": False})
    assert [p["range"]["start"]["character"] for p in places] == [20, 23], places
    names = [s["name"] for s in client.ask("textDocument/documentSymbol", textDocument={"uri": uri})["result"]]
    assert names == ["lawn", "yesno", "p", "start", "rain", "wet", "P(rain)", "P(wet | rain)"], names
    data = client.ask("textDocument/semanticTokens/full", textDocument={"uri": uri})["result"]["data"]
    assert len(data) % 5 == 0 and data[:5] == [1, 6, 4, 5, 1], data[:5]


def checkRename(client, uri, mpfc, folder):
    edits = client.about("rename", uri, *placeOf(MODEL, "rain, wet"), newName="heavy rain")
    text = changed(MODEL, edits["changes"][uri])
    assert text.count("`heavy rain`") == 4 and "rain" not in text.replace("`heavy rain`", "").replace(
        "How rain", ""), text
    path = os.path.join(folder, "renamed.mpf")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    run = subprocess.run([mpfc, "run", path], capture_output=True, text=True, check=True)
    assert "heavy rain" in run.stdout, run.stdout
    refusal = client.about("rename", uri, *placeOf(MODEL, "rain, wet"), newName="yesno")
    assert refusal["code"] == -32803 and "already declared" in refusal["message"], refusal
    refusal = client.about("rename", uri, *placeOf(MODEL, "p)\nprob"), newName="q")
    assert refusal["code"] == -32803, refusal
    assert client.about("rename", uri, 0, 0, newName="x")["code"] == -32803
    assert client.about("prepareRename", uri, *placeOf(MODEL, "wet |"))["placeholder"] == "wet"


def checkEdits(client, uri, mpfc):
    # UTF-16: a character beyond the first plane counts twice.
    at = placeOf(MODEL, "weather")
    client.change(uri, edit(at, (at[0], at[1] + 7), "\U0001f327 in \u00e9t\u00e9"))
    text = MODEL.replace("weather", "\U0001f327 in \u00e9t\u00e9")
    assert client.messages(uri) == []
    line = placeOf(text, "wet = yes")[0]
    client.change(uri, edit((line, 8), (line, 11), "\u00e9\U0001f327 = yes, wte"))
    found = client.messages(uri)
    assert [m["range"]["start"]["character"] for m in found] == [8, 19], found
    assert [m["range"]["end"]["character"] for m in found] == [11, 22], found
    assert "hint: did you mean 'wet'?" in found[1]["message"], found
    actions = client.ask("textDocument/codeAction", textDocument={"uri": uri}, range=found[1]["range"],
                         context={"diagnostics": []})["result"]
    fix = actions[0]["edit"]["changes"][uri]
    assert [a["title"] for a in actions] == ["Replace by wet"] and fix[0]["newText"] == "wet", actions
    untidy = "model  m\nvar x:2\n# kept\nfactor f( x )=[1,2]\nquery evidence\n"
    client.change(uri, {"text": untidy})
    edits = client.ask("textDocument/formatting", textDocument={"uri": uri}, options={})["result"]
    tidy = subprocess.run([mpfc, "fmt", "-"], input=untidy, capture_output=True, text=True, check=True).stdout
    assert changed(untidy, edits) == tidy and tidy != untidy, edits
    client.change(uri, {"text": "var = 3"})
    assert client.ask("textDocument/formatting", textDocument={"uri": uri}, options={})["result"] is None
    client.messages(uri)


def labelsAt(client, uri, text, word):
    line, character = placeOf(text, word)
    items = client.about("completion", uri, line, character + len(word))["items"]
    return [item["label"] for item in items]


def checkCompletion(client, uri):
    text = MODEL + "for i in 0..3: factor f(rain) = i + \nobserve rain = \nfactor g(wet) = { "
    client.change(uri, {"text": text})
    assert labelsAt(client, uri, text, "observe rain = ") == ["no", "yes"]
    assert labelsAt(client, uri, text, "factor g(wet) = { ") == ["no", "yes"]
    names = labelsAt(client, uri, text, "= i + ")
    assert {"i", "p", "rain", "start", "exp", "sum"} <= set(names) and "lawn" not in names, names
    assert {"var", "query"} <= set(labelsAt(client, uri, text, "P(rain)\n"))
    assert labelsAt(client, uri, text, "# The we") == []
    for loops in ("", "for i in 0..3: "):
        text = MODEL + loops + "def twice(low, high) = low + "
        client.change(uri, {"text": text})
        names = labelsAt(client, uri, text, "= low + ")
        assert {"low", "high", "start"} <= set(names), names
    client.messages(uri)


def checkFiles(client, folder):
    """Texts that include each other: an open text wins over its file."""
    base, main = (uriOf(os.path.join(folder, name)) for name in ("base of it.mpf", "main.mpf"))
    with open(os.path.join(folder, "base of it.mpf"), "w", encoding="utf-8") as file:
        file.write("var x : 2\n")
    client.open(main, 'model m\ninclude "base of it.mpf"\nfactor f(x, y) = 1\nquery evidence\n')
    assert "no variable is called 'y'" in client.messages(main)[0]["message"]
    assert client.about("definition", main, 2, 9)["uri"] == base
    assert client.about("definition", main, 1, 12)["uri"] == base
    client.open(base, "var x, y : 2\nfactor g(x) = [1, 2]\nobserve z = 1\n")
    client.messages(base, lambda found: [m["message"] for m in found] == ["no variable is called 'z'"])
    client.messages(main, lambda found: found == [])
    edits = client.about("rename", base, 0, 4, newName="first")["changes"]
    assert sorted(edits) == [base, main] and len(edits[base]) == 2 and len(edits[main]) == 1, edits
    client.change(base, {"text": "var x, y : 2\nfactor g(z) = [1, 2]\nvar z : 2\nobserve y = 1\n"})
    assert client.messages(base) == []
    client.tell("textDocument/didClose", textDocument={"uri": base})
    client.messages(main, lambda found: "no variable is called 'y'" in str(found))
    client.tell("textDocument/didClose", textDocument={"uri": main})


def checkManyMessages(client, folder):
    """Messages of one place are folded. An editor gets 200 errors, and the number of the others."""
    uri = uriOf(os.path.join(folder, "many.mpf"))
    client.open(uri, "var x[9] : 2\nobserve x = [2, 2, 2, 2, 2, 2, 2, 2, 2]\n")
    found = client.messages(uri)
    assert len(found) == 3 and len({str(m["range"]) for m in found}) == 1, found
    assert [m["message"].partition("\n")[2] for m in found] == ["", "", "and 6 more like this"], found
    client.change(uri, {"text": "".join(f"query P(no{i})\n" for i in range(500))})
    found = client.messages(uri)
    assert len(found) == 201 and found[-1]["message"] == "300 more errors not shown", found[-1]


def checkFaults(client, uri):
    """Broken messages are answered, and the server goes on."""
    client.sendBytes(b"Content-Length: 5\r\n\r\n{\"a\":")
    assert client.read()["error"]["code"] == -32700
    client.sendBytes(b"garbage without a length\r\n\r\n")
    assert client.read()["error"]["code"] == -32700
    client.sendBytes(b"Content-Length: 99999999999\r\nX: y\r\n\r\n")
    assert "the limit" in client.read()["error"]["message"]
    return Client(client.server.args[0])


def checkProtocol(client, uri):
    assert client.ask("textDocument/nothing")["error"]["code"] == -32601
    assert client.ask("textDocument/hover", textDocument={"uri": uri})["error"]["code"] == -32602
    assert client.ask("textDocument/hover", textDocument=7)["error"]["code"] == -32602
    assert client.about("hover", "file:///not/open", 0, 0)["code"] == -32602
    for line in (-1, 1e300, "0", None):
        assert client.about("hover", uri, line, 0)["code"] == -32602
    assert client.about("hover", uri, 4000000000, 4000000000) is None
    client.send(method="$/unknown")
    deep = b"[" * 200000
    client.sendBytes(b"Content-Length: %d\r\n\r\n%s" % (len(deep), deep))
    assert client.read()["error"]["code"] == -32700
    # A request that still waits when its cancellation comes is not served.
    client.open(uri, MODEL)
    first = client.begin("textDocument/documentSymbol", textDocument={"uri": uri})
    client.lastId += 1
    content = b""
    for message in (b'{"id":%d,"method":"textDocument/hover","params":{"textDocument":{"uri":"%s"},'
                    b'"position":{"line":6,"character":5}}}' % (client.lastId, uri.encode()),
                    b'{"method":"$/cancelRequest","params":{"id":%d}}' % client.lastId):
        content += b"Content-Length: %d\r\n\r\n%s" % (len(message), message)
    client.sendBytes(content)
    client.answer(first)
    assert client.answer(client.lastId)["error"]["code"] == -32800


def main():
    mpfc, folder = sys.argv[1:]
    uri = uriOf(os.path.join(folder, "lawn.mpf"))
    client = Client(mpfc)
    assert client.capabilities["positionEncoding"] == "utf-16"
    checkNames(client, uri)
    checkRename(client, uri, mpfc, folder)
    checkEdits(client, uri, mpfc)
    checkCompletion(client, uri)
    checkFiles(client, folder)
    checkManyMessages(client, folder)
    checkProtocol(client, uri)
    other = Client(mpfc, ("utf-16", "utf-8"))
    assert other.capabilities["positionEncoding"] == "utf-8"
    other.open(uri, "var \u00e9\U0001f327 : 2\nquery P(\u00e9\U0001f327, a)\n")
    assert other.messages(uri)[0]["range"]["start"] == {"line": 1, "character": 16}
    assert other.close() == 0
    lost = Client(mpfc)
    checkFaults(lost, uri).server.kill()
    lost.server.stdin.close()  # an input that ends without `exit`
    assert lost.server.wait(10) == 1
    assert client.close() == 0
    print("every check has passed")


main()
