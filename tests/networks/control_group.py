"""A memory control group (version 1 or 2) that this process makes inside its own group."""
import contextlib
import os

ROOT = "/sys/fs/cgroup"


def memberships():
    """Returns {controllers: path} of /proc/self/cgroup; version 2 has the empty name."""
    with open("/proc/self/cgroup", encoding="utf-8") as file:
        return {line.split(":", 2)[1]: line.rstrip("\n").split(":", 2)[2] for line in file}


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


class ControlGroup:
    def __init__(self, folder, file):
        self.folder, self.file = folder, os.path.join(folder, file)

    @staticmethod
    def make():
        """Returns (the group, "") or (None, the reason why there is none)."""
        found = memberships()
        if "memory" in found:
            parent = f"{ROOT}/memory{found['memory'].rstrip('/')}"
            file = "memory.limit_in_bytes"
        else:
            parent = ROOT + found.get("", "").rstrip("/")
            file = "memory.max"
        folder = os.path.join(parent, f"mpf_memory_{os.getpid()}")
        try:
            os.mkdir(folder)
        except OSError as problem:
            return None, str(problem)
        group = ControlGroup(folder, file)
        if os.path.exists(group.file):
            return group, ""
        group.remove()
        return None, "the group has no limit of memory"

    @contextlib.contextmanager
    def limited(self, limit):
        """Limits the processes in the group to `limit` bytes in the meantime."""
        self.limit(limit)
        yield

    def limit(self, limit):
        """Sets the limit of later processes. All processes of the group must have ended."""
        for _ in range(2):  # the group may still be charged for more: pages of files must go first
            try:
                write(self.file, str(limit))
                break
            except OSError:
                write(os.path.join(self.folder, "memory.force_empty"), "0")

    def remove(self):
        try:
            os.rmdir(self.folder)
        except OSError as problem:
            print(f"{self.folder}: {problem}")
