"""The common part of tests of mpf-bench: a temporary folder, and peers that are written as scripts."""
import os
import sys


class BenchDriver:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def script(self, text):
        """Returns arguments that make mpf-bench use this program as a peer."""
        name = self.path("peer.py")
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
        return ["--peer-script", name, "--python", sys.executable]


def require(holds, what):
    if not holds:
        sys.exit(f"{os.path.basename(sys.argv[0])}: {what}")
