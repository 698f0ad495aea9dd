"""A memory control group that a process is told of and that stops nobody: for machines where no real
one may be made. In a mount namespace of its own the process finds the files of a group, of version 1
or 2 by turns, whose limit is ours and whose usage is what the process and its children have. Whether
the kernel would have killed it is judged by the most memory that the commands in it had of their own, looked at every
two milliseconds: files that it maps can be dropped, and do not count."""
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
    """Of one process; 0: it has ended."""
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
        """(the group, "") or (None, why there is none)."""
        tried = subprocess.run([*NAMESPACE, "mount", "--bind", "/tmp", ROOT], capture_output=True,
                               text=True)
        if tried.returncode != 0:
            return None, tried.stderr.strip()
        return ToldGroup(tempfile.mkdtemp(prefix="mpf-group-")), ""

    def write(self, name, text):
        """In one go: a reader finds the old text or the new one."""
        path = os.path.join(self.folder, name)
        with open(path + ".new", "w", encoding="ascii") as file:
            file.write(text)
        os.rename(path + ".new", path)

    def prefix(self):
        """What to put before a command, which is then in the group."""
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
