#!/usr/bin/env python3
"""Times of a call for many rows from Python, in a new process for each kind of rows.

Draws rows from all variables of MODEL.bif, and hides four cells of five. Each process makes the rows, then reads the
model and asks for the evidence of each row: the first call plans and opens a session. All answers are compared with
those of the array. Prints a table in Markdown: seconds by the clock of reading and the first call together, of the
second call, and the processor's of the latter. The last row asks a compiled query for CHUNKS arrays and prints by how
much the resident memory grew after the tenth of them.

usage: python_rows.py MODEL.bif [ROWS [CHUNKS]]    (the packages mpf and numpy; pandas and pyarrow for their rows)
"""
import hashlib
import importlib.util
import subprocess
import sys
import time

HIDDEN_SHARE = 0.8


def drawCodes(network, rows):
    import numpy as np
    random = np.random.default_rng(3)
    codes = np.stack([random.integers(0, len(variable), rows) for variable in network.variables.values()], axis=1)
    codes[random.random(codes.shape) < HIDDEN_SHARE] = -1
    return codes.astype(np.int8)


def textsOf(network, codes):
    """Name -> array of objects: labels, None for hidden cells."""
    import numpy as np
    return {name: np.array([*variable.labels, None], dtype=object)[codes[:, column]]
            for column, (name, variable) in enumerate(network.variables.items())}


def pandasCategories(network, codes):
    import pandas
    return pandas.DataFrame({name: pandas.Categorical.from_codes(codes[:, column], list(variable.labels))
                             for column, (name, variable) in enumerate(network.variables.items())})


def arrowStrings(network, codes):
    import pyarrow
    return pyarrow.table({name: pyarrow.array(list(texts), pyarrow.string())
                          for name, texts in textsOf(network, codes).items()})


KINDS = {
    "int8, array": (lambda network, codes: codes, None, 0.6),
    "categories of pandas": (pandasCategories, "pandas", 0.6),
    "strings of Arrow": (arrowStrings, "pyarrow", 1.0),
    "strings of Python": (lambda network, codes: {name: list(texts) for name, texts in textsOf(network, codes).items()},
                          None, 2.5),
}


def answer(model, kind, rows):
    """Asks twice in this process. Prints seconds, and the digest of the answers."""
    import numpy as np

    import mpf
    options = {"states": "numbers"} if kind.startswith("int8") else {}
    network = mpf.read(model)
    cases = KINDS[kind][0](network, drawCodes(network, rows))
    begin = time.perf_counter()
    network = mpf.read(model)
    found = network.log_evidence(cases=cases, errors="skip", **options)
    first = time.perf_counter() - begin
    begin, processor = time.perf_counter(), time.process_time()
    network.log_evidence(cases=cases, errors="skip", **options)
    print(first, time.perf_counter() - begin, time.process_time() - processor,
          hashlib.sha256(np.ascontiguousarray(found).tobytes()).hexdigest())


def residentMiB():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096 / 2**20


def growth(model, rows, chunks):
    import mpf
    network = mpf.read(model)
    codes = drawCodes(network, rows)
    query = network.compile("evidence", states="numbers")
    before, begin = 0, time.perf_counter()
    for chunk in range(chunks):
        query.ask(cases=codes, errors="skip")
        if chunk == 9:
            before = residentMiB()
    print(f"{rows * chunks:.0e} rows in {chunks} arrays: {time.perf_counter() - begin:.1f} s, "
          f"resident memory {residentMiB() - before:+.1f} MiB after the tenth")


def ask(*arguments):
    return subprocess.run([sys.executable, __file__, *arguments], check=True, capture_output=True, text=True).stdout


def main(model, rows="1000000", chunks="0"):
    print("| rows | read and first call, s | aim | second call | processor |\n| --- | --- | --- | --- | --- |")
    digests = set()
    for kind, (_, package, aim) in KINDS.items():
        if package is not None and importlib.util.find_spec(package) is None:
            print(f"| {kind} | {package} is not installed | {aim} | | |")
            continue
        first, second, processor, digest = ask("answer", model, kind, rows).split()
        digests.add(digest)
        print(f"| {kind} | {float(first):.2f} | {aim} | {float(second):.2f} | {float(processor):.2f} |", flush=True)
    print(f"\nAll answers have the same bits: {len(digests) == 1}.")
    if int(chunks):
        print(ask("growth", model, rows, chunks))


if sys.argv[1] == "answer":
    answer(sys.argv[2], sys.argv[3], int(sys.argv[4]))
elif sys.argv[1] == "growth":
    growth(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
else:
    main(*sys.argv[1:])
