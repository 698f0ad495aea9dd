"""What tests of mpf-bench share: a folder of their own, and peers that they write themselves."""
import os
import sys


class BenchDriver:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def script(self, text):
        """Arguments that take this program for a peer."""
        name = self.path("peer.py")
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
        return ["--peer-script", name, "--python", sys.executable]


def require(holds, what):
    if not holds:
        sys.exit(f"{os.path.basename(sys.argv[0])}: {what}")
