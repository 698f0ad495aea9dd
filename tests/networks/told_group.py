"""A fake memory control group, which a process can read but which stops no process. It serves machines
that allow no real group.

A process in a separate mount namespace finds the files of a group, of version 1 or 2 by turns. Their
limit is ours, their usage is the memory of the process and its children. A real kernel would have killed
the process if the private memory of its commands exceeded the limit; that is read every two
milliseconds. Mapped files do not count, because the kernel can drop them."""
import contextlib
import os
import shutil
import subprocess
import tempfile
import threading

EVERY_S = 0.002
ROOT = "/sys/fs/cgroup"
NAMESPACE = ["unshare", "--mount", "--propagation", "private"]
VERSIONS = (("memory.max", "memory.current"),
            ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes"))
OWN = ("RssAnon:", "RssShmem:")


def ownBytes(pid):
    """Returns the private bytes of one process; 0 if it has ended."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii") as file:
            return sum(int(line.split()[1]) * 1024 for line in file if line.startswith(OWN))
    except (OSError, ValueError):
        return 0


def childrenOf(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            children = file.read().split()
    except OSError:
        return []
    return children + [grandchild for child in children for grandchild in childrenOf(child)]


class ToldGroup:
    def __init__(self, folder):
        self.folder, self.turn, self.most = folder, 0, 0
        os.mkdir(os.path.join(folder, "memory"))

    @staticmethod
    def make():
        """Returns (the group, "") or (None, the reason why there is none)."""
        tried = subprocess.run([*NAMESPACE, "mount", "--bind", "/tmp", ROOT], capture_output=True,
                               text=True)
        if tried.returncode != 0:
            return None, tried.stderr.strip()
        return ToldGroup(tempfile.mkdtemp(prefix="mpf-group-")), ""

    def write(self, name, text):
        """Replaces a file at once: a reader finds the old text or the new one."""
        path = os.path.join(self.folder, name)
        with open(path + ".new", "w", encoding="ascii") as file:
            file.write(text)
        os.rename(path + ".new", path)

    def prefix(self):
        """Returns the words to put before a command to run it in the group."""
        return [*NAMESPACE, "sh", "-c", f"mount --bind {self.folder} {ROOT} && "
                f"echo $$ >> {self.folder}/members && exec \"$@\"", "sh"]

    def watch(self, usage, ended):
        path = os.path.join(self.folder, "members")
        while not ended.wait(EVERY_S):
            if not os.path.exists(path):
                continue
            with open(path, encoding="ascii") as file:
                members = file.read().split()
            own = sum(map(ownBytes, members))
            children = [child for member in members for child in childrenOf(member)]
            self.most = max(self.most, own)
            self.write(usage, str(own + sum(map(ownBytes, children))))

    @contextlib.contextmanager
    def limited(self, limit):
        for name in ("members", *sum(VERSIONS, ())):
            with contextlib.suppress(FileNotFoundError):
                os.remove(os.path.join(self.folder, name))
        self.turn += 1
        self.most = 0
        file, usage = VERSIONS[self.turn % 2]
        self.write(file, str(limit))
        self.write(usage, "0")
        ended = threading.Event()
        watcher = threading.Thread(target=self.watch, args=(usage, ended))
        watcher.start()
        try:
            yield
        finally:
            ended.set()
            watcher.join()

    def remove(self):
        shutil.rmtree(self.folder)
