"""The views of a network in notebooks."""
from __future__ import annotations

import html
import os
import shutil
import subprocess
import sysconfig
import tempfile
from typing import TYPE_CHECKING

from mpf.errors import Device, Error

if TYPE_CHECKING:
    from mpf.network import Network


def network_html(network: Network) -> str:
    """A short table of the variables."""
    shown = list(network.variables.values())[:50]
    rows = "".join(f"<tr><td>{html.escape(v.name)}</td><td>{html.escape(', '.join(v.labels[:12]))}"
                   f"{', ...' if len(v) > 12 else ''}</td></tr>" for v in shown)
    more = f"<p>{len(network.variables)} variables, {len(shown)} are shown</p>" if len(network.variables) > 50 else ""
    return f"<b>{html.escape(network.name)}</b><table><tr><th>variable</th><th>states</th></tr>{rows}</table>{more}"


class Explanation:
    """The page of `mpfc explain --html` for a network: what a run does, how much memory and time it takes."""

    def __init__(self, network: Network, query: str | None = None) -> None:
        self.page = _page_of(network, query)

    def _repr_html_(self) -> str:
        return (f'<iframe sandbox="allow-scripts" width="100%" height="600" '
                f'srcdoc="{html.escape(self.page, quote=True)}"></iframe>')

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.page)


def _page_of(network: Network, query: str | None) -> str:
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "network.mpf")
        with open(model, "w", encoding="utf-8") as file:
            file.write(network.text(".mpf"))
        page = os.path.join(folder, "page.html")
        asked = ["--query", query] if query else []
        run = subprocess.run([_program(), "explain", model, "--html", page, *asked], capture_output=True, text=True)
        if run.returncode != 0:
            raise Error(run.stderr.strip())
        with open(page, encoding="utf-8") as file:
            return file.read()


def _program() -> str:
    """The mpfc that was installed with this package: by pip into an environment, for a user, or with --target."""
    beside_package = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bin")
    user = sysconfig.get_preferred_scheme("user")
    folders = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", user), beside_package]
    found = shutil.which("mpfc", path=os.pathsep.join(folders)) or shutil.which("mpfc")
    if found is None:
        raise Device(f"mpfc, which explains networks, is not in {', '.join(folders)}, and not on PATH")
    return found
