"""Loads a page of `mpfc explain --html` in a headless browser and reports its contents.

usage: load_page.py CHROMIUM PAGE [WIDTH]

Prints the faults of the layout in a window of WIDTH pixels (800), measured in the document, and counts
after a user's clicks and keys, one per line. Then prints every console message and every request that the
page made.
"""
import html
import json
import os
import re
import subprocess
import sys
import tempfile

# Reports faults of the layout as texts. A page scrolls sideways. A box leaves its parent, or overlaps
# another one of the same parent. A text is cut. A part of a drawing leaves the drawing. Names in a
# drawing overlap.
LAYOUT = """
<script>
const faults = [];
const nameOf = (e) =>
  `${e.tagName.toLowerCase()}.${e.getAttribute("class")} '${e.textContent.trim().replace(/\\s+/g, " ").slice(0, 30)}'`;
const boxOf = (e) => e.getBoundingClientRect();
const isShown = (e) => boxOf(e).width > 0 && boxOf(e).height > 0;
const slack = 1.5; // pixels: borders and rounding
const leaves = (inner, outer) => inner.left < outer.left - slack || inner.right > outer.right + slack ||
  inner.top < outer.top - slack || inner.bottom > outer.bottom + slack;
const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > slack &&
  Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > slack;
function noPairs(elements, what) {
  const boxes = elements.filter(isShown).map((e) => [e, boxOf(e)]).sort((a, b) => a[1].top - b[1].top);
  for (let i = 0; i < boxes.length; ++i)
    for (let j = i + 1; j < boxes.length && boxes[j][1].top < boxes[i][1].bottom; ++j)
      if (overlap(boxes[i][1], boxes[j][1]))
        faults.push(`${what}: ${nameOf(boxes[i][0])} overlaps ${nameOf(boxes[j][0])}`);
}
if (document.documentElement.scrollWidth > document.documentElement.clientWidth)
  faults.push("the page scrolls sideways");
for (const details of document.querySelectorAll("details")) details.open = true;
const isBlock = (e) => getComputedStyle(e).display !== "inline";
for (const e of document.querySelectorAll("body *:not(svg *, script)")) {
  if (!isShown(e)) continue;
  const frame = e.parentElement.closest(".scroll");
  if (!frame && leaves(boxOf(e), boxOf(e.parentElement)))
    faults.push(`${nameOf(e)} leaves ${nameOf(e.parentElement)}`);
  if (!frame && !e.matches(".scroll, svg") && isBlock(e) && e.scrollWidth > e.clientWidth + slack)
    faults.push(`${nameOf(e)} is cut: ${e.scrollWidth} of ${e.clientWidth} pixels`);
  if (!e.matches("svg")) noPairs([...e.children].filter(isBlock), "boxes");
}
for (const svg of document.querySelectorAll("svg")) {
  if (!isShown(svg)) continue;
  for (const part of svg.querySelectorAll("text, circle, rect, path"))
    if (isShown(part) && leaves(boxOf(part), boxOf(svg)))
      faults.push(`${nameOf(part)} leaves the drawing ${nameOf(svg)}`);
  noPairs([...svg.querySelectorAll(".variable")], "variables");
  noPairs([...svg.querySelectorAll(".node circle, .node rect, .node path")], "nodes");
  noPairs([...svg.querySelectorAll("text:not(.node text, .variable text)")], "texts");
  noPairs([...svg.querySelectorAll(".node text.label")], "names");
}
for (const details of document.querySelectorAll("details")) details.open = false;
document.documentElement.dataset.faults = JSON.stringify(faults);
</script>
"""

# The actions of a user in a copy of the page. Their outcome is stored in an attribute that --dump-dom
# shows.
PROBE = """
<script>
const count = (selector) => document.querySelectorAll(selector).length;
const key = (node, name) =>
  node.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
const selected = () => document.querySelector(".view:not([hidden]) .node.selected");
const seen = {};
seen.variables = count(".query:first-of-type .network .variable");
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
    "--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr",
]


def pageRequests(netLog):
    """Returns the URLs that the page requested. Requests of the browser have no initiator."""
    with open(netLog, encoding="utf-8") as file:
        log = json.load(file)
    start = log["constants"]["logEventTypes"]["URL_REQUEST_START_JOB"]
    return [event["params"]["url"] for event in log["events"]
            if event["type"] == start
            and str(event.get("params", {}).get("initiator", "")).startswith(("file", "null"))]


def stored(name, page):
    """Returns the value that a probe has stored in an attribute of the page; None if it did not run."""
    match = re.search(f'data-{name}="([^"]*)"', page)
    return json.loads(html.unescape(match[1])) if match else None


def main(chromium, path, width="800"):
    with open(path, encoding="utf-8") as file:
        page = file.read()
    with tempfile.TemporaryDirectory() as folder:
        copy, netLog = os.path.join(folder, "page.html"), os.path.join(folder, "net.json")
        with open(copy, "w", encoding="utf-8") as file:
            file.write(page.replace("</body>", LAYOUT + PROBE))
        run = subprocess.run(
            [chromium, *OPTIONS, f"--window-size={width},900", f"--log-net-log={netLog}",
             f"--user-data-dir={folder}/profile", "--dump-dom", f"file://{copy}"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, text=True, check=False)
        requests = pageRequests(netLog)
    faults, seen = stored("faults", run.stdout), stored("seen", run.stdout)
    for fault in faults or ():
        print(f"fault: {fault}")
    print(f"faults: {len(faults) if faults is not None else 'not measured'}")
    for name, value in (seen or {}).items():
        print(f"{name}: {value}")
    messages = [line for line in run.stderr.splitlines() if ":CONSOLE" in line]
    for line in messages:
        print(line)
    for url in requests:
        print(f"requested {url}")
    print(f"{'loaded' if seen else 'NOT loaded'}, {len(messages)} console messages, "
          f"{len(requests)} requests")


main(*sys.argv[1:])
