"""A folder for one program at a time: inputs, an output folder, a cache, a TMPDIR and a compiler. The
compiler stores its results, so that a thousand cold runs compile once."""
import ctypes
import gzip
import hashlib
import lzma
import os
import select
import shutil
import signal
import subprocess
import time

SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER: children that lost their parent become ours
TIMEOUT_S = 30  # what runs longer hangs; on a busy machine: run_points.py --timeout
PATIENCE_S = 5  # for the last children of a process that has ended
REPORTED = 99  # exit code of the sanitizers, where mpf was built with them
NOT_LEAKS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "not_leaks.txt")
COMPILER = """#!/bin/sh
case "$1" in --version) echo "remembering compiler 1"; exit 0 ;; esac
for object; do :; done
cat > "$TMPDIR/text"
known="{store}/$(sha256sum < "$TMPDIR/text" | cut -c -32)"
if ! cp "$known" "$object" 2>/dev/null; then
  c++ "$@" < "$TMPDIR/text" && cp "$object" "$known.$$" && mv "$known.$$" "$known"
fi
code=$?
rm "$TMPDIR/text"
exit $code
"""


class World:
    def __init__(self, folder, models, store, timeout=TIMEOUT_S):
        ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
        self.folder = folder
        self.timeout = timeout
        self.names = {name: os.path.join(folder, name) for name in ("in", "out", "cache", "tmp")}
        shutil.copytree(models, self.names["in"])
        with open(os.path.join(self.names["in"], "alarm.bif"), "rb") as file:
            text = file.read()
        for ending, pack in ((".gz", gzip.compress), (".xz", lzma.compress)):
            with open(os.path.join(self.names["in"], "alarm.bif" + ending), "wb") as file:
                file.write(pack(text))
        self.makeLists()
        os.makedirs(store, exist_ok=True)
        self.compiler = os.path.join(folder, "compiler")
        with open(self.compiler, "w", encoding="utf-8") as file:
            file.write(COMPILER.format(store=store))
        os.chmod(self.compiler, 0o755)
        self.fired = os.path.join(folder, "fired")
        self.clean()

    def makeLists(self):
        """Makes lists of cases that are no readable texts: more rows than one block of cases holds; an
        array."""
        with gzip.open(os.path.join(self.names["in"], "many_rows.csv.gz"), "wb") as file:
            file.write(b"earthquake,burglary\n" + 20000 * b"yes,no\n,\n")
        head = "{'descr': '|i1', 'fortran_order': False, 'shape': (3, 3)}\n".encode()
        with open(os.path.join(self.names["in"], "rows.npy"), "wb") as file:
            file.write(b"\x93NUMPY\1\0" + len(head).to_bytes(2, "little") + head +
                       bytes((0, 255, 255, 255, 1, 255, 255, 255, 0)))

    def clean(self):
        for name in ("out", "cache", "tmp"):
            shutil.rmtree(self.names[name], ignore_errors=True)
            os.mkdir(self.names[name], 0o700)
        if os.path.exists(self.fired):
            os.unlink(self.fired)

    def restore(self, state):
        """Restores the output folder and the cache from `state` (see state())."""
        self.clean()
        for path, contents in sorted(state.items()):
            if contents is None:
                os.mkdir(os.path.join(self.folder, path))
                continue
            with open(os.path.join(self.folder, path), "wb") as file:
                file.write(contents)
            os.chmod(file.name, 0o600)

    def state(self, *names):
        """Returns the contents, by path, of every file in these folders; None for a folder in them."""
        found = {}
        for name in names:
            for at, folders, files in os.walk(self.names[name]):
                for file in files:
                    path = os.path.join(at, file)
                    with open(path, "rb") as opened:
                        found[os.path.relpath(path, self.folder)] = opened.read()
                found.update({os.path.relpath(os.path.join(at, f), self.folder): None
                              for f in folders})
        return found

    def environment(self):
        code = f"exitcode={REPORTED}:"
        return {"ASAN_OPTIONS": code + "verify_asan_link_order=0:allocator_may_return_null=1",
                "UBSAN_OPTIONS": code + "print_stacktrace=1",
                "LSAN_OPTIONS": code + f"print_suppressions=0:suppressions={NOT_LEAKS}",
                "PATH": os.environ["PATH"], "HOME": self.folder, "TMPDIR": self.names["tmp"],
                "MPF_CACHE_DIR": self.names["cache"], "MPF_LOOK": "off", "CXX": self.compiler,
                "MPF_LIBCUDA": os.path.join(self.folder, "no-libcuda")}

    def run(self, argv, extra=None, stdin=os.devnull):
        """Returns (exit code, or None if it hung, stdout, stderr, whether children stayed)."""
        argv = [word.format(**self.names) for word in argv]
        paths = [os.path.join(self.folder, name) for name in ("stdout", "stderr")]
        with open(paths[0], "wb") as out, open(paths[1], "wb") as err, \
                open(stdin.format(**self.names), "rb") as given:
            process = subprocess.Popen(argv, stdin=given, stdout=out, stderr=err,
                                       env={**self.environment(), **(extra or {})},
                                       cwd=self.names["in"], start_new_session=True)
            code = self.awaitEnd(process)
        stays = self.endChildren(process.pid)
        with open(paths[0], "rb") as out, open(paths[1], "rb") as err:
            return code, out.read(), err.read(), stays

    def awaitEnd(self, process):
        handle = os.pidfd_open(process.pid)
        waiting = select.poll()
        waiting.register(handle, select.POLLIN)
        ended = waiting.poll(self.timeout * 1000)
        os.close(handle)
        if not ended:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return None
        return process.wait()

    @staticmethod
    def endChildren(session):
        """Waits for orphans; True if some had to be killed."""
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                if os.waitpid(-1, os.WNOHANG)[0] != 0:
                    continue
            except ChildProcessError:
                return False
            if time.monotonic() > end:
                break
            time.sleep(0.002)
        for entry in os.listdir("/proc"):
            try:
                if entry.isdigit() and os.getsid(int(entry)) == session:
                    os.kill(int(entry), signal.SIGKILL)
            except OSError:
                pass
        return True


def digest(state):
    text = hashlib.sha256()
    for path in sorted(state):
        text.update(f"{path}\0{state[path] is None}\0".encode())
        text.update(hashlib.sha256(state[path] or b"").digest())
    return text.digest()
