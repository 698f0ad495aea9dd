"""Attacks of other users on a run of mpfc, which must change nothing: runtime/TRUST.md.

usage: attack.py MPFC FOLDER [DRIVER]

DRIVER: a library that replaces the GPU's (tests/support/fake_cuda.cpp).

The victim is the user who runs this test. The stranger is another user, whose files only root can make.
Without root, those attacks are left out.
"""
import ctypes
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
import time

STRANGER, THIRD = 12345, 12346
RACE_SECONDS = 3
MODEL = """param n = {n}
var x, y, z : n
factor f(x, y) = 1 + (x < y)
factor g(y, z) = 1 + (y < {factor} * z)
query total = sum() f * g
"""

mpfc, folder = sys.argv[1], sys.argv[2]
driver = sys.argv[3] if len(sys.argv) > 3 and os.path.exists(sys.argv[3]) else None
NO_COMPILER = 5  # exit code if a kernel is not in the cache and cannot, or must not, be compiled
CASES = "x,y\n1,2\n,3\n4,\n"
isRoot = os.geteuid() == 0


def path(*parts):
    return os.path.join(folder, *parts)


def write(name, text, mode=0o644):
    with open(path(name), "w") as file:
        file.write(text)
    os.chmod(path(name), mode)
    return path(name)


def make(name, mode=0o755):
    os.makedirs(path(name))
    os.chmod(path(name), mode)
    return path(name)


def giveAway(*names):
    for name in names:
        os.chown(name, STRANGER, STRANGER, follow_symlinks=False)


def run(*arguments, model="m.mpf", device="cpu", **variables):
    """Runs the command with PATH and the loader's variable as its only inherited environment."""
    environment = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
    environment.update({"MPF_CACHE_DIR": path("cache"), **variables})
    return subprocess.run([mpfc, "run", path(model), "--device", device,
                           "--runs", "inf", *arguments], env=environment, capture_output=True, text=True)


def expect(condition, what, ended=None):
    if not condition:
        sys.exit(f"{what}\n{ended.stdout}{ended.stderr}" if ended else what)


def expectAnswer(ended, note=""):
    expect(ended.returncode == 0 and ended.stdout == answer, "another answer", ended)
    expect(note in ended.stderr, f"nothing is said of: {note}", ended)


def entries(cache):
    return sorted(name for name in os.listdir(cache) if name.endswith((".so", ".cubin")))


def attackEntries(good, wanted, *arguments, **how):
    """An entry that others could have written must be a miss, so that compiling is needed. `good` is a
    cache that answers the question, with `wanted`."""
    cache = make(good + "Entries", 0o700)

    def takeGood():
        for name in entries(path(good)):
            if os.path.lexists(os.path.join(cache, name)):
                os.remove(os.path.join(cache, name))
            shutil.copy(path(good, name), cache)
            os.chmod(os.path.join(cache, name), 0o600)

    def forbidden():
        return run("--forbid-compiling", *arguments, MPF_CACHE_DIR=cache, **how)

    def expectMiss(what):
        ended = forbidden()
        expect(ended.returncode == NO_COMPILER, what, ended)
    takeGood()
    ended = forbidden()
    expect(ended.returncode == 0 and ended.stdout == wanted, "entries of ours were not taken", ended)
    for name in entries(cache):
        os.chmod(os.path.join(cache, name), 0o666)
    expectMiss("an entry of mode 0666 was taken")
    for name in entries(cache):
        os.remove(os.path.join(cache, name))
        os.symlink(path(good, name), os.path.join(cache, name))
    expectMiss("a link was taken for an entry")
    takeGood()
    for name in entries(cache):
        with open(os.path.join(cache, name), "r+b") as file:
            file.seek(-1, os.SEEK_END)
            last = file.read(1)[0]
            file.seek(-1, os.SEEK_END)
            file.write(bytes((last ^ 1,)))
    expectMiss("an entry that was changed was taken")
    if isRoot:
        takeGood()
        for name in entries(cache):
            giveAway(os.path.join(cache, name))
        expectMiss("a stranger's entry was taken")


def attackCases():
    """A stranger's bundle for lists of cases is read, but no other file of the stranger. The kernels
    that a GPU runs for it are made here, or come from a cache of the victim."""
    bundle, rows = path("their.mpfb"), write("rows.csv", CASES)
    subprocess.run([mpfc, "build", path("m.mpf"), "--cases", rows, "-o", bundle], check=True)
    planned = run("--cases", rows)
    place = make("their", 0o755)
    os.rename(bundle, os.path.join(place, "m.mpfb"))
    if isRoot:
        giveAway(place, os.path.join(place, "m.mpfb"))
    files = sorted(os.listdir(folder))
    ended = run("--cases", rows, model="their/m.mpfb")
    expect(ended.returncode == 0 and ended.stdout == planned.stdout, "other rows", ended)
    expect(os.listdir(place) == ["m.mpfb"] and sorted(os.listdir(folder)) == files,
           "a bundle of cases left a file")
    if driver is None:
        return
    how = {"device": "gpu", "MPF_LIBCUDA": driver}
    for model, cache in (("m.mpf", "lanes"), ("their/m.mpfb", "theirLanes")):
        ended = run("--cases", rows, model=model, MPF_CACHE_DIR=path(cache), **how)
        if ended.returncode == NO_COMPILER:
            return
        expect(ended.returncode == 0 and entries(path(cache)) != [], "no kernel of lanes", ended)
        attackEntries(cache, ended.stdout, "--cases", rows, model=model, **how)
    expect(os.listdir(place) == ["m.mpfb"], "a kernel was written beside a bundle")


def attackFolders():
    """A stranger's folders are neither read nor written."""
    cache = make("theirs")
    giveAway(cache)
    expectAnswer(run(MPF_CACHE_DIR=cache), "because it belongs to another user")
    expect(os.listdir(cache) == [], "something was written into a stranger's cache")
    overriding = make("overriding")
    giveAway(overriding)
    for where, why in ((overriding, "it belongs to another user"),
                       (make("open", 0o777), "its group or others can write to it")):
        ended = subprocess.run([mpfc, "run", path("m.mpf"), "--override-kernels", where],
                               capture_output=True, text=True)
        expect(ended.returncode == 1 and why in ended.stderr, f"{where} was taken", ended)


def evilProgram(name, mark):
    return write(name, f"#!/bin/sh\n: > {mark}\nexit 1\n", 0o755)


def attackPrograms():
    mark = path("mark")
    make("bin"), make("openbin", 0o777)
    open_, theirs = evilProgram("openbin/c++", mark), evilProgram("bin/c++", mark)
    expectAnswer(run(CXX=open_, MPF_CACHE_DIR=path("none1")), "others can write to its folder")
    os.chmod(theirs, 0o775)
    expectAnswer(run(CXX=theirs, MPF_CACHE_DIR=path("none2")), "its group or others can write to it")
    if isRoot:
        os.chmod(theirs, 0o755)
        giveAway(theirs)
        expectAnswer(run(CXX=theirs, MPF_CACHE_DIR=path("none3")), "it belongs to another user")
        search = path("bin") + ":" + os.environ["PATH"]
        expectAnswer(run(PATH=search, MPF_CACHE_DIR=path("cache4")))
        expect(entries(path("cache4")) != [], "the system's compiler was not found behind another")
        library = write("libcuda.so", "")
        giveAway(library)
        ended = subprocess.run([mpfc, "run", path("m.mpf"), "--device", "gpu"], capture_output=True,
                               env={**os.environ, "MPF_LIBCUDA": library}, text=True)
        expect("is not opened, because it belongs to another user" in ended.stderr or
               "no GPU executor" in ended.stderr, "a stranger's library was opened", ended)
    expect(not os.path.exists(mark), "a program that others can write was run")
    expectAnswer(run(TMPDIR=make("tmp", 0o777), MPF_CACHE_DIR=path("cache5")))
    expect(not os.path.exists(path("cache5")) or entries(path("cache5")) == [],
           "a kernel was compiled where others can exchange it")


def attackLinkToCompiler():
    """The stranger changes a link between the check and the run."""
    make("linked", 0o777)
    mark, link, other = path("turned"), path("linked", "c++"), path("linked", "other")
    evil = evilProgram("linked/evil", mark)
    os.symlink(shutil.which("c++"), link)
    os.symlink(evil, other)
    stop = threading.Event()
    thread = threading.Thread(target=exchange, args=(link, other, stop))
    thread.start()
    end, runs = time.monotonic() + RACE_SECONDS, 0
    try:
        while time.monotonic() < end:
            expectAnswer(run(CXX=link, MPF_CACHE_DIR=path(f"linkedCache{runs}")))
            runs += 1
    finally:
        stop.set()
        thread.join()
    expect(not os.path.exists(mark), "a program was run that took a compiler's place")
    print(f"{runs} runs beside a link that turns")


def attackOutput():
    """The stranger makes a link at a predictable name of a temporary file, a link as the result, and a
    link in place of a pipe."""
    victim = write("victim", "old")
    place = make("out", 0o777)
    arguments = [mpfc, "run", path("m.mpf"), "--device", "cpu", "--task", "PR", "-o"]
    ended = subprocess.run(
        ["bash", "-c", 'ln -s "$0" o.tmp$$; exec "$@"', victim, *arguments, "o"], cwd=place,
        capture_output=True, text=True)
    expect(ended.returncode == 0 and not os.path.islink(os.path.join(place, "o")), "no result", ended)
    link = os.path.join(place, "link")
    os.symlink(victim, link)
    giveAway(link)
    ended = subprocess.run([*arguments, link], capture_output=True, text=True)
    expect(ended.returncode == 1 and "a link that another user made" in ended.stderr,
           "a stranger's link was followed", ended)
    pipe, planted = os.path.join(place, "pipe"), os.path.join(place, "planted")
    os.mkfifo(pipe)
    os.symlink(victim, planted)
    giveAway(planted)
    waiting = subprocess.Popen([*arguments, pipe], stderr=subprocess.PIPE, text=True)
    time.sleep(0.5)
    os.rename(planted, pipe)
    waiting.communicate()
    expect(waiting.returncode == 1, "a pipe that became a link was written")
    with open(victim) as file:
        expect(file.read() == "old", "a victim's file was written")


def attackPrivileges():
    """A set-user-ID program must not trust the environment, which comes from the user who starts it."""
    with tempfile.TemporaryDirectory(dir="/tmp") as place:  # a third user must be able to enter it
        if os.statvfs(place).f_flag & os.ST_NOSUID:
            return
        os.chmod(place, 0o777 | stat.S_ISVTX)
        program, mark = os.path.join(place, "mpfc"), os.path.join(place, "mark")
        model, evil = os.path.join(place, "m.mpf"), os.path.join(place, "c++")
        shutil.copy(mpfc, program)
        shutil.copy(path("m.mpf"), model)
        giveAway(program)
        os.chmod(program, 0o4755)
        with open(evil, "w") as file:
            file.write(f"#!/bin/sh\n: > {mark}\n")
        os.chmod(evil, 0o755)
        cache = os.path.join(place, "cache")
        ended = subprocess.run(
            [program, "run", model, "--device", "cpu", "--runs", "inf"],
            env={"CXX": evil, "MPF_CACHE_DIR": cache, "PATH": os.environ["PATH"]}, cwd="/",
            user=THIRD, group=THIRD, extra_groups=[], capture_output=True, text=True)
        if "error while loading shared libraries" in ended.stderr:
            return  # the victim's libraries are in places that others do not see
        expect(ended.stdout == answer, "another answer", ended)
        expect(not os.path.exists(mark), "CXX of another user was run", ended)
        expect(not os.path.exists(cache), "MPF_CACHE_DIR of another user was written", ended)


def exchange(first, second, stop):
    """Exchanges the names of two folders again and again, as fast as possible. Does nothing if the
    system cannot do that in one step."""
    here, exchanging = -100, 2
    rename = getattr(ctypes.CDLL(None), "renameat2", None)
    while not stop.is_set():
        if rename is None or rename(here, first.encode(), here, second.encode(), exchanging) != 0:
            return


def attackByRace():
    """A stranger's cache, with entries of another model, replaces the victim's cache."""
    for other in ("race", "raceEvil"):
        make(other, 0o700)
        for name in entries(path("cache")):
            shutil.copy(path("other", entries(path("other"))[0]), path(other, name))
            os.chmod(path(other, name), 0o600)
    for name in entries(path("race")):
        shutil.copy(path("cache", name), path("race", name))
        giveAway(path("raceEvil", name))
    giveAway(path("raceEvil"))
    planted = {name: os.stat(path("raceEvil", name)).st_mtime_ns for name in entries(path("raceEvil"))}
    stop = threading.Event()
    thread = threading.Thread(target=exchange, args=(path("race"), path("raceEvil"), stop))
    thread.start()
    end, runs = time.monotonic() + RACE_SECONDS, 0
    try:
        while time.monotonic() < end:
            expectAnswer(run(MPF_CACHE_DIR=path("race")))
            runs += 1
    finally:
        stop.set()
        thread.join()
    evil = path("race") if os.stat(path("race")).st_uid == STRANGER else path("raceEvil")
    found = {name: os.stat(os.path.join(evil, name)).st_mtime_ns for name in os.listdir(evil)}
    expect(found == planted, "the stranger's folder was written")
    print(f"{runs} runs beside a race")


shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
write("m.mpf", MODEL.format(n=200, factor=2))
write("other.mpf", MODEL.format(n=150, factor=3))
first = run()
answer = first.stdout
expect(first.returncode == 0 and entries(path("cache")) != [], "no kernel was compiled", first)
run(model="other.mpf", MPF_CACHE_DIR=path("other"))
attackEntries("cache", answer)
attackCases()
attackPrograms()
attackLinkToCompiler()
if isRoot:
    attackFolders()
    attackOutput()
    attackPrivileges()
    attackByRace()
print("all held")
