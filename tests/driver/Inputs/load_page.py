"""Loads a page of `mpfc explain --html` in a headless browser and reports its contents.

usage: load_page.py CHROMIUM PAGE

Prints counts after a user's clicks and keys, one per line, then every console message and every request
that the page made.
"""
import html
import json
import os
import re
import subprocess
import sys
import tempfile

# The actions of a user in a copy of the page. Their outcome is stored in an attribute that --dump-dom
# shows.
PROBE = """
<script>
const count = (selector) => document.querySelectorAll(selector).length;
const key = (node, name) =>
  node.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
const selected = () => document.querySelector(".view:not([hidden]) .node.selected");
const seen = {};
seen.nodes = count(".view:not([hidden]) .node");
seen.edges = count(".view:not([hidden]) .edges path");
seen.steps = count(".memory .hits rect");
seen.peaks = count(".memory .peak");
seen.rows = count(".costliest tbody tr");
const root = document.querySelector(".node");
root.focus();
seen.focused = document.querySelector(".detail").textContent.split("\\n")[0];
key(root, "ArrowDown");
seen.down = selected() !== root && Number(selected().dataset.up) === 0;
key(selected(), "ArrowUp");
seen.up = selected() === root;
document.querySelector("a[data-find]").click();
seen.found = selected().dataset.ranks.split(" ").includes("1");
const buttons = [...document.querySelectorAll("button[data-view]")];
buttons[buttons.length - 1].click();
seen.views = buttons.length;
seen.visible = count(".view:not([hidden])");
seen.most = count(".view:not([hidden]) .node");
seen.overflow = document.documentElement.scrollWidth - document.documentElement.clientWidth;
document.documentElement.dataset.seen = JSON.stringify(seen);
</script>
</body>"""

OPTIONS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-default-apps",
    "--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr", "--window-size=800,900",
]


def pageRequests(netLog):
    """Returns the URLs that the page requested. Requests of the browser have no initiator."""
    with open(netLog, encoding="utf-8") as file:
        log = json.load(file)
    start = log["constants"]["logEventTypes"]["URL_REQUEST_START_JOB"]
    return [event["params"]["url"] for event in log["events"]
            if event["type"] == start
            and str(event.get("params", {}).get("initiator", "")).startswith(("file", "null"))]


def main(chromium, path):
    with open(path, encoding="utf-8") as file:
        page = file.read()
    with tempfile.TemporaryDirectory() as folder:
        copy, netLog = os.path.join(folder, "page.html"), os.path.join(folder, "net.json")
        with open(copy, "w", encoding="utf-8") as file:
            file.write(page.replace("</body>", PROBE))
        run = subprocess.run(
            [chromium, *OPTIONS, f"--log-net-log={netLog}", f"--user-data-dir={folder}/profile",
             "--dump-dom", f"file://{copy}"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, text=True, check=False)
        requests = pageRequests(netLog)
    seen = re.search(r'data-seen="([^"]*)"', run.stdout)
    for name, value in json.loads(html.unescape(seen[1])).items() if seen else ():
        print(f"{name}: {value}")
    messages = [line for line in run.stderr.splitlines() if ":CONSOLE" in line]
    for line in messages:
        print(line)
    for url in requests:
        print(f"requested {url}")
    print(f"{'loaded' if seen else 'NOT loaded'}, {len(messages)} console messages, "
          f"{len(requests)} requests")


main(*sys.argv[1:])
