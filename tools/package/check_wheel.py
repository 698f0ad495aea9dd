"""Checks a wheel of the Python package: its name, its size, its files, and what its extension exports.

usage: check_wheel.py WHEEL
"""
import os
import re
import subprocess
import sys
import tempfile
import zipfile

MOST_BYTES = 12 << 20
EXPORTED = ["PyInit__mpf"]


def faults(path):
    """Returns a sentence for each thing that is wrong."""
    name = os.path.basename(path)
    tag = re.fullmatch(r"mpf-[\d.]+-(cp312-abi3|cp310-cp310|cp311-cp311)-manylinux_2_34_x86_64\.whl", name)
    if not tag:
        yield f"{name} is not for cp312-abi3-manylinux_2_34_x86_64, nor for cp310 or cp311"
    module = r"mpf/_mpf\.abi3\.so" if tag and tag[1] == "cp312-abi3" else r"mpf/_mpf\.cpython-31[01]-x86_64-linux-gnu\.so"
    if os.path.getsize(path) > MOST_BYTES:
        yield f"{name} has {os.path.getsize(path)} bytes, more than {MOST_BYTES}"
    with zipfile.ZipFile(path) as wheel, tempfile.TemporaryDirectory() as folder:
        files = wheel.namelist()
        for needed in (module, r"mpf/_mpf\.pyi", r"mpf/py\.typed", r".*\.data/scripts/mpfc", r".*/LICENSE"):
            if not any(re.fullmatch(needed, file) for file in files):
                yield f"{name} has no file {needed}"
        for file in filter(re.compile(module).fullmatch, files):
            extension = wheel.extract(file, folder)
            symbols = subprocess.run(["nm", "-D", "--defined-only", extension], capture_output=True, text=True, check=True)
            found = [line.split()[-1] for line in symbols.stdout.splitlines()]
            if found != EXPORTED:
                yield f"{file} exports {', '.join(found[:5])}: only {EXPORTED[0]} is meant"


def main(path):
    found = list(faults(path))
    print(f"{os.path.basename(path)}: {os.path.getsize(path) / 1e6:.1f} MB, {len(found)} faults")
    for fault in found:
        print(fault)
    return 1 if found else 0


sys.exit(main(*sys.argv[1:]))
