"""Dependencies point one way: what each folder may include, fully spelled out.

usage: check_includes.py ROOT
"""
import os
import re
import sys

from tree import finish, readText, sourceFiles

# Folder -> folders it may include besides itself. Anything not listed here is an error, so a new
# folder has to say where it stands.
SUPPORT = ["dsl/support"]
SOURCE = ["dsl/source"] + SUPPORT
MODEL = ["dsl/model"] + SOURCE
BUNDLE = ["codegen/bundle"] + SUPPORT
SIMPLIFY = ["codegen/simplify"] + MODEL
PLAN = ["codegen/plan"] + SIMPLIFY
KERNEL = ["codegen/kernel"] + PLAN
EMIT = ["codegen/emit"] + KERNEL
RESULT = ["runtime/result"] + SUPPORT
COMPILE = ["runtime/compile"] + RESULT + BUNDLE
SCHEDULE = ["runtime/schedule"] + COMPILE
EXECUTE = ["runtime/execute"] + SCHEDULE
COMPILER_SIDE = ["dsl/syntax", "dsl/formats", "codegen", "codegen/bundle"] + EMIT
RUNTIME_SIDE = ["runtime/execute", "runtime/api"] + SCHEDULE
EVERYTHING = COMPILER_SIDE + RUNTIME_SIDE

ALLOWED = {
    "dsl/support": [],
    "dsl/source": SUPPORT,
    "dsl/syntax": SOURCE,
    "dsl/model": ["dsl/syntax"] + SOURCE,
    "dsl/formats": ["dsl/syntax"] + MODEL,
    "codegen/simplify": ["codegen/bundle"] + MODEL,
    "codegen/plan": SIMPLIFY,
    "codegen/kernel": PLAN,
    "codegen/emit": KERNEL,
    "codegen/bundle": SUPPORT,
    "codegen": COMPILER_SIDE,
    "runtime/result": SUPPORT,
    "runtime/compile": RESULT + BUNDLE,
    "runtime/schedule": COMPILE,
    "runtime/execute": SCHEDULE,
    "runtime/api": RUNTIME_SIDE,
    "tools": EVERYTHING,
    "tests": EVERYTHING + ["tools"],
    "examples": ["runtime/api"],
}
# Single files that see more than their folder: the two places where both sides meet.
ALLOWED_FILES = {
    "codegen/specialise/build_bundle": EMIT + BUNDLE,
    "runtime/api/jit": EVERYTHING,
    "runtime/api/jit_gpu": EVERYTHING,
    "runtime/api/jit_kernels": EVERYTHING,
    "runtime/api/jit_memory": EVERYTHING,
}
# Foreign headers and the only folders that may include them.
FOREIGN = [
    (re.compile(r"^(cuda|nvrtc|cuda_runtime|nvJitLink|cublas|nccl)[\w.]*(\.h|\.hpp)?$|^cuda/"),
     ("runtime/compile", "runtime/execute"), "CUDA headers"),
    (re.compile(r"^(clang|llvm)(-c)?/"), ("codegen/emit", "tools/tooling", "runtime/compile"),
     "LLVM and Clang headers"),
    (re.compile(r"^CLI/"), ("tools",), "the command-line library"),
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
    """The longest folder of `path` that has a row in the table."""
    folder = os.path.dirname(path)
    while folder and folder not in ALLOWED:
        folder = os.path.dirname(folder)
    return folder


def allowedFor(path):
    stem = os.path.splitext(path)[0]
    if stem in ALLOWED_FILES:
        return ALLOWED_FILES[stem] + [layerOf(path)]
    return ALLOWED[layerOf(path)] + [layerOf(path)]


def checkInclude(root, path, quote, target):
    if quote == '"':
        if target.startswith(("dsl/", "codegen/", "runtime/", "tools/", "tests/")):
            if os.path.splitext(path)[0] not in RESERVED.get(target, (os.path.splitext(path)[0],)):
                return f"{target} is only for {', '.join(RESERVED[target])}"
            if layerOf(target) not in allowedFor(path):
                return f"{layerOf(path)} must not include {target}"
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
    files = [p for p in sourceFiles(root, ".h", ".cpp", ".cc", ".hpp")
             if p.startswith(("dsl/", "codegen/", "runtime/", "tools/", "tests/"))]
    for path in files:
        if not layerOf(path):
            problems.append(f"{path}: its folder has no row in tests/layers/check_includes.py")
            continue
        for number, line in enumerate(readText(root, path).splitlines(), 1):
            match = INCLUDE.match(line)
            problem = match and checkInclude(root, path, match[1], match[2])
            if problem:
                problems.append(f"{path}:{number}: {problem}")
    finish("includes", problems, len(files))


main(sys.argv[1])
