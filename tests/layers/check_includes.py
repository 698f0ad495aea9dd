"""Checks that dependencies point one way: each folder may only include the folders listed for it.

Four rules, from the large to the small:
- ALLOWED: a folder includes itself and the folders of its row. A folder without a row is an error.
- ROOMS: the sub-folders of a large folder, bottom first. A file includes its own room and the rooms
  before it in the list, never a later one. "" is the room of the files of the folder itself: at the
  front they are its foundation, at the end its roof. Every sub-folder with sources is a room. A
  folder with more than MAX_SOURCES files has to be divided into rooms.
- tests/unit mirrors the source: every folder there is a folder of the source. NAME_test.cpp is in the
  folder of NAME or pass_NAME, if such a file is anywhere below the test's folder in the source.
- No circles: files, a header and its source taken as one, do not include each other, not even
  through other files. If two files need each other, move their common part to another file. It is
  usually the types, below the functions that fill them.

usage: check_includes.py ROOT
"""
import collections
import os
import re
import sys

from circles import circlesOf
from tree import finish, readText, sourceFiles

# Folder -> folders it may include besides itself. Anything not listed here is an error, so a new
# folder needs a row.
SUPPORT = ["dsl/support"]
SOURCE = ["dsl/source"] + SUPPORT
MODEL = ["dsl/model"] + SOURCE
BUNDLE = ["codegen/bundle"] + SOURCE
SIMPLIFY = ["codegen/simplify"] + MODEL
PLAN = ["codegen/plan"] + SIMPLIFY
KERNEL = ["codegen/kernel"] + PLAN
EMIT = ["codegen/emit"] + KERNEL
RESULT = ["runtime/result"] + SUPPORT
COMPILE = ["runtime/compile"] + RESULT + BUNDLE
SCHEDULE = ["runtime/schedule", "codegen/machine"] + COMPILE
EXECUTE = ["runtime/execute"] + SCHEDULE
COMPILER_SIDE = ["dsl/syntax", "dsl/formats", "codegen/machine", "codegen/predict", "codegen/pipeline", "codegen/cases", "codegen/lanes",
                 "codegen/specialise", "codegen/bundle"] + EMIT
MACHINE = ["runtime/machine", "runtime/api"] + EXECUTE
PREDICT = ["runtime/predict"] + MACHINE
ANSWER = ["runtime/choose/answer"] + PREDICT
CHOOSE = ["runtime/choose"] + COMPILER_SIDE + ANSWER
ENGINE = ["runtime/engine", "runtime/session"] + CHOOSE
EVERYTHING = ["runtime/c", "runtime/library", "runtime/simt"] + ENGINE

ALLOWED = {
    "dsl/support": [],
    "dsl/source": SUPPORT,
    "dsl/syntax": SOURCE,
    "dsl/model": ["dsl/syntax"] + SOURCE,
    "dsl/formats": ["dsl/syntax"] + MODEL,
    "codegen/machine": BUNDLE,
    "codegen/cases": MODEL,
    "codegen/simplify": ["codegen/bundle"] + MODEL,
    "codegen/plan": SIMPLIFY,
    "codegen/kernel": PLAN,
    "codegen/emit": ["codegen/bundle"] + KERNEL,
    "codegen/bundle": SOURCE,
    "codegen/lanes": ["codegen/machine"] + BUNDLE + PLAN,
    "codegen/predict": ["codegen/machine", "codegen/lanes"] + EMIT + BUNDLE,
    "codegen/specialise": EMIT + BUNDLE,
    "codegen/pipeline": COMPILER_SIDE,
    "runtime/result": SUPPORT,
    "runtime/compile": RESULT + BUNDLE,
    "runtime/schedule": ["codegen/machine"] + COMPILE,
    "runtime/simt": EXECUTE + EMIT,
    "runtime/execute": SCHEDULE,
    "runtime/api": RESULT,
    "runtime/machine": ["runtime/api"] + EXECUTE,
    "runtime/predict": MACHINE,
    "runtime/choose/answer": PREDICT,
    "runtime/choose": COMPILER_SIDE + ANSWER,
    "runtime/session": ANSWER,
    "runtime/engine": ["runtime/session"] + CHOOSE,
    "runtime/library": ENGINE,
    "runtime/c": ["runtime/library", "runtime/api", "dsl/formats", "dsl/syntax"] + RESULT + MODEL,
    "runtime/python": ["runtime/api", "dsl/formats", "dsl/syntax"] + RESULT + BUNDLE + MODEL,
    "tools": EVERYTHING,
    "tests": EVERYTHING + ["tools"],
    "examples": ["runtime/api"],
}
# The rooms of a folder, bottom first ("" is the folder itself): a file sees the rooms before its own.
ROOMS = {
    "dsl/support": ["", "memory", "system", "expression", "files", "cases", "vectors", "numbers", "text"],
    "dsl/formats": ["numbers", "tables", "cases/columns", "cases/tables", "cases", "cases/host", "network", "bif", "uai", "xml", "xmlbif", "net", "genie", "fg", "cnf", "costs", "codes", "tensors", "pedigree", ""],
    "dsl/model": ["", "names", "resolve", "tables", "print", "declare", "build", "read"],
    "codegen/simplify": ["state", "passes", ""],
    "codegen/plan": ["arena", "program", "initial", "remat", "order", "passes", "slicing", ""],
    "codegen/kernel": ["form", "plan", "text", "cost", "build", ""],
    "codegen/bundle": ["head", "", "lanes", "forms"],
    "codegen/emit": ["preamble", "nest", "tooling", "matrix", "chain", "lanes",
                     "lanes/teams", ""],
    "runtime/schedule": ["", "launches", "slices", "transfers", "placement"],
    "runtime/execute": ["threads", "host", "cpu", "integer", "compiled", "lanes/kernels", "lanes/compiled",
                        "lanes/sent", "lanes", "gpu/tables", "gpu/slices", "gpu", "gpu/runs", "gpu/lanes",
                        "gpu/tuning", "hybrid", ""],
    "runtime/engine": ["", "lanes", "tables", "single", "enumerate", "list"],
    "runtime/simt": ["", "lanes", "tables"],
    "runtime/python": ["native"],
    "tools/mpfc": ["options", "explain/facts", "help", "process", "answers", "cases", "compile",
                   "explain/html", "explain", "calibrate", "lsp", ""],
    "tools/mpf-bench": ["shapes", "measure", "lanes", "report", "networks", "cases", "papers", ""],
    "tools": ["mpfc", "mpf-check-kernel", "mpf-bench"],
    "tests/oracle": ["brute", "models", "interpret", "", "gpu", "edge"],
}
MAX_SOURCES = 45  # files of one folder; more would hide its design
# Foreign headers and the only folders that may include them.
FOREIGN = [
    (re.compile(r"^(cuda|nvrtc|cuda_runtime|nvJitLink|cublas|nccl)[\w.]*(\.h|\.hpp)?$|^cuda/"),
     ("runtime/compile", "runtime/execute"), "CUDA headers"),
    (re.compile(r"^(clang|llvm)(-c)?/"), ("codegen/emit/tooling",),
     "LLVM and Clang headers"),
    (re.compile(r"^CLI/"), ("tools",), "the command-line library"),
    (re.compile(r"^nanobind/|^Python\.h$"), ("runtime/python",), "Python's headers"),
    (re.compile(r"^gtest/|^gmock/"), ("tests",), "the test library"),
]
# Headers of ours that only these files may include.
RESERVED = {
    "codegen/simplify/state/entry_value.h": ("codegen/simplify/state/algebra",
                                               "codegen/simplify/state/table_arithmetic"),
}
HEAVY_IN_HEADERS = re.compile(r"^(regex|iostream|nlohmann/.*|CLI/.*)$")
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]')


def layerOf(path):
    """Returns the longest folder of `path` that has a row in the table."""
    folder = os.path.dirname(path)
    while folder and folder not in ALLOWED:
        folder = os.path.dirname(folder)
    return folder


def allowedFor(path):
    return ALLOWED[layerOf(path)] + [layerOf(path)]


def hasRoom(folder):
    """Whether a folder is one of ALLOWED, or a room of one."""
    if folder in ALLOWED or folder.startswith("tests/"):
        return True
    return any(folder == os.path.join(around, room) for around, rooms in ROOMS.items()
               for room in rooms)


def mirrorProblems(files):
    """Yields tests whose folder below tests/unit differs from the folder of the tested file."""
    folders = {os.path.dirname(path) for path in files if not path.startswith("tests/")}
    homes = collections.defaultdict(set)  # name of a file without its ending -> its folders
    for path in files:
        homes[os.path.splitext(os.path.basename(path))[0]].add(os.path.dirname(path))
    for path in files:
        folder = os.path.dirname(path)[len("tests/unit/"):]
        if not path.startswith("tests/unit/") or not folder:
            continue
        if folder not in folders and not any(f.startswith(folder + "/") for f in folders):
            yield f"{path}: the source has no folder {folder}"
        name = os.path.splitext(os.path.basename(path))[0]
        if not name.endswith("_test"):
            continue
        tested = name[:-len("_test")]
        below = [home for name in (tested, "pass_" + tested) for home in homes[name]
                 if home == folder or home.startswith(folder + "/")]
        if below and folder not in below:
            yield f"{path}: what it is called after stands in {', '.join(sorted(below))}"


def roomOf(path, rooms, folder):
    """Returns the number of the room of `folder` that contains `path`."""
    inside = os.path.dirname(path)[len(folder) + 1:]
    while inside not in rooms:
        inside = os.path.dirname(inside)
    return rooms.index(inside)


def goesUp(path, target):
    """Whether a file includes a later room of its own folder."""
    return any(roomOf(path, rooms, folder) < roomOf(target, rooms, folder)
               for folder, rooms in ROOMS.items()
               if path.startswith(folder + "/") and target.startswith(folder + "/"))


def checkInclude(root, path, quote, target):
    if quote == '"':
        if target.startswith(("dsl/", "codegen/", "runtime/", "tools/", "tests/")):
            if os.path.splitext(path)[0] not in RESERVED.get(target, (os.path.splitext(path)[0],)):
                return f"{target} is only for {', '.join(RESERVED[target])}"
            if layerOf(target) not in allowedFor(path):
                return f"{layerOf(path)} must not include {target}"
            if goesUp(path, target):
                return f"{target} stands above {os.path.dirname(path)} (ROOMS)"
            return None
        if os.path.exists(os.path.join(root, os.path.dirname(path), target)):
            return f'write "{os.path.dirname(path)}/{target}" (from the root of the repository)'
        return None
    for pattern, folders, what in FOREIGN:
        if pattern.match(target) and not path.startswith(folders):
            return f"{what} ({target}) are only for {', '.join(folders)}"
    if path.endswith(".h") and not path.startswith("tests/") and HEAVY_IN_HEADERS.match(target):
        return f"<{target}> makes every user of this header slow to compile"
    return None


def main(root):
    problems = []
    included = {}  # file without its ending -> files that it includes
    files = [p for p in sourceFiles(root, ".h", ".cpp", ".cc", ".hpp")
             if p.startswith(("dsl/", "codegen/", "runtime/", "tools/", "tests/"))]
    for path in files:
        if not layerOf(path):
            problems.append(f"{path}: its folder has no row in tests/layers/check_includes.py")
            continue
        if not hasRoom(os.path.dirname(path)):
            problems.append(f"{path}: its folder is no room of those in tests/layers/check_includes.py")
        for number, line in enumerate(readText(root, path).splitlines(), 1):
            match = INCLUDE.match(line)
            problem = match and checkInclude(root, path, match[1], match[2])
            if problem:
                problems.append(f"{path}:{number}: {problem}")
            if match and match[1] == '"':
                included.setdefault(os.path.splitext(path)[0], set()).add(
                    os.path.splitext(match[2])[0])
    problems += [f"these files include each other: {', '.join(circle)}"
                 for circle in circlesOf(included)]
    problems += [f"these folders may include each other: {', '.join(circle)}"
                 for circle in circlesOf(ALLOWED)]
    problems += mirrorProblems(files)
    sources = collections.Counter(os.path.dirname(path) for path in files)
    problems += [f"{folder}: {count} sources, at most {MAX_SOURCES}"
                 for folder, count in sources.items() if count > MAX_SOURCES]
    finish("includes", problems, len(files))


main(sys.argv[1])
