"use strict";
// Adds to the page what needs a script: the selected node's details, arrow keys, views of the tree.

for (const tree of document.querySelectorAll(".tree")) {
  const drawing = tree.querySelector(".drawing");
  const detail = tree.querySelector(".detail");

  const shownNodes = () => [...tree.querySelectorAll(".view:not([hidden]) .node")];

  function select(node) {
    for (const other of tree.querySelectorAll(".node.selected")) {
      other.classList.remove("selected");
      other.setAttribute("tabindex", "-1");
    }
    node.classList.add("selected");
    node.setAttribute("tabindex", "0");
    detail.textContent = node.querySelector("title").textContent;
  }

  function moveTo(node) {
    if (!node) return;
    select(node);
    node.focus({ preventScroll: true });
    const box = node.getBoundingClientRect(), frame = drawing.getBoundingClientRect();
    drawing.scrollLeft += box.left + box.width / 2 - frame.left - frame.width / 2;
    drawing.scrollTop += box.top + box.height / 2 - frame.top - frame.height / 2;
  }

  // Up: where the message goes. Down: the costliest child, which stands leftmost. Left, right: the
  // neighbours on the same level.
  function neighbour(node, key) {
    const nodes = shownNodes();
    const place = (n) => n.transform.baseVal[0].matrix;
    const at = place(node);
    if (key === "ArrowUp") return nodes[Number(node.dataset.up)];
    const leftmost = (list) => list.sort((a, b) => place(a).e - place(b).e)[0];
    if (key === "ArrowDown")
      return leftmost(nodes.filter((n) => Number(n.dataset.up) === nodes.indexOf(node)));
    const level = nodes.filter((n) => Math.abs(place(n).f - at.f) < 1);
    if (key === "ArrowRight") return leftmost(level.filter((n) => place(n).e > at.e));
    return level.filter((n) => place(n).e < at.e).sort((a, b) => place(b).e - place(a).e)[0];
  }

  tree.addEventListener("click", (event) => {
    const node = event.target.closest(".node");
    if (node) select(node);
  });
  tree.addEventListener("focusin", (event) => {
    const node = event.target.closest(".node");
    if (node) select(node);
  });
  tree.addEventListener("keydown", (event) => {
    const node = event.target.closest(".node");
    if (!node || !event.key.startsWith("Arrow")) return;
    event.preventDefault();
    moveTo(neighbour(node, event.key));
  });

  function centreRoot() {
    drawing.scrollTop = 0;
    const root = shownNodes()[0];
    if (!root) return;
    const box = root.getBoundingClientRect(), frame = drawing.getBoundingClientRect();
    drawing.scrollLeft += box.left - frame.left - frame.width / 2;
  }

  const viewButtons = [...tree.querySelectorAll("button[data-view]")];
  for (const button of viewButtons)
    button.addEventListener("click", () => {
      for (const other of viewButtons) other.setAttribute("aria-pressed", String(other === button));
      for (const view of tree.querySelectorAll(".view"))
        view.hidden = view.dataset.view !== button.dataset.view;
      centreRoot();
    });
  const fit = tree.querySelector("button[data-fit]");
  fit.addEventListener("click", () => {
    const on = drawing.classList.toggle("fit");
    fit.setAttribute("aria-pressed", String(on));
    centreRoot();
  });

  // Only where both devices run: by device or by cost.
  tree.querySelector("button[data-colour]")?.addEventListener("click", (event) => {
    const on = tree.classList.toggle("by-device");
    event.currentTarget.setAttribute("aria-pressed", String(on));
  });

  for (const link of tree.closest(".query").querySelectorAll("a[data-find]"))
    link.addEventListener("click", (event) => {
      const node = shownNodes().find((n) => n.dataset.ranks.split(" ").includes(link.dataset.find));
      if (!node) return;
      event.preventDefault();
      tree.scrollIntoView();
      moveTo(node);
    });
  centreRoot();
}
