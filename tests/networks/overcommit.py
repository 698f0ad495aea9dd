"""The kernel's limit on the memory that all processes together may map (vm.overcommit_memory = 2). It
applies to the whole machine, so use it on a private machine only. The old setting is restored at the
end."""
import contextlib
import os

FOLDER = "/proc/sys/vm"
NAMES = ("overcommit_memory", "overcommit_ratio", "overcommit_kbytes")  # the last two exclude each other


def read(name):
    with open(os.path.join(FOLDER, name), encoding="ascii") as file:
        return file.read().strip()


def write(name, value):
    with open(os.path.join(FOLDER, name), "w", encoding="ascii") as file:
        file.write(str(value))


def committedKib():
    with open("/proc/meminfo", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("Committed_AS"))


class Overcommit:
    def __init__(self):
        self.before = {name: read(name) for name in NAMES}

    @staticmethod
    def make():
        """Returns (the limit, "") or (None, the reason why there is none)."""
        try:
            found = Overcommit()
            write("overcommit_memory", found.before["overcommit_memory"])
        except OSError as problem:
            return None, str(problem)
        return found, ""

    @contextlib.contextmanager
    def limited(self, limit):
        """Lets all processes together map at most `limit` more bytes in the meantime."""
        try:
            write("overcommit_kbytes", committedKib() + limit // 1024)
            write("overcommit_memory", 2)
            yield
        finally:
            self.remove()

    def remove(self):
        write("overcommit_memory", self.before["overcommit_memory"])
        isRatio = self.before["overcommit_kbytes"] == "0"
        name = "overcommit_ratio" if isRatio else "overcommit_kbytes"
        write(name, self.before[name])
