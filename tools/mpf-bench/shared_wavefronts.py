#!/usr/bin/env python3
"""Counts shared-memory wavefronts of the bucket kernels instruction by instruction.

Runs `mpf-bench buckets` under Nsight Compute (needs a GPU and ncu) and adds up the source page:
wavefronts that the shared accesses of the kernel took, and the fewest that their bytes allow. The
difference is what bank conflicts cost. The counter l1tex__data_bank_conflicts_pipe_lsu_mem_shared
is no substitute: it also counts shared accesses that waited for other traffic of the same pipe.
"""
import argparse
import csv
import io
import pathlib
import subprocess
import sys
import tempfile

from programs import requireProgram

WAVEFRONTS, IDEAL = "L1 Wavefronts Shared", "L1 Wavefronts Shared Ideal"


def count(bench, bucketSet, shape, element, form, folder):
    """(wavefronts, ideal) of the kernel of this bucket."""
    report = folder / f"{shape}-{element}-{form}.ncu-rep"
    command = ["ncu", "--clock-control", "none", "--section", "SourceCounters", "-c", "1", "-f",
               "-o", str(report), bench, "buckets", "--device", "gpu", "--set", bucketSet,
               "--names", shape, "--types", element, "--forms", form, "--repeats", "1",
               "--timing", "warm"]
    run = subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         text=True)
    page = subprocess.run(["ncu", "-i", str(report), "--page", "source", "--print-source", "sass",
                           "--csv"], check=False, stdout=subprocess.PIPE, text=True).stdout
    rows = list(csv.reader(io.StringIO(page)))
    head = next((i for i, row in enumerate(rows) if "Source" in row), None)
    if head is None:
        sys.exit(f"no source page of {shape} {element} {form}:\n{run.stdout}\n{page}")
    if WAVEFRONTS not in rows[head]:  # ncu leaves the columns out: no access to shared memory
        return 0, 0
    totals = []
    for name in (WAVEFRONTS, IDEAL):
        column = rows[head].index(name)
        cells = [row[column].replace(",", "") for row in rows[head + 1:] if len(row) > column]
        totals.append(sum(int(cell) for cell in cells if cell.isdigit()))
    return totals


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bench", help="path of mpf-bench")
    parser.add_argument("--set", default="canonical")
    parser.add_argument("--shapes", default="pair,pair-permuted,pair-batched,triangle,star")
    parser.add_argument("--types", default="f32,f64")
    parser.add_argument("--forms", default="linear")
    options = parser.parse_args()
    requireProgram("ncu", "Nsight Compute counts the wavefronts")
    requireProgram(options.bench, "the argument is the path of mpf-bench")
    excessive = 0
    print(f"{'bucket':<16} {'type':<4} {'form':<6} {'wavefronts':>12} {'ideal':>12}  ratio")
    with tempfile.TemporaryDirectory() as folder:
        for shape in options.shapes.split(","):
            for element in options.types.split(","):
                for form in options.forms.split(","):
                    taken, ideal = count(options.bench, options.set, shape, element, form,
                                         pathlib.Path(folder))
                    ratio = taken / ideal if ideal else 1.0
                    excessive += taken - ideal
                    print(f"{shape:<16} {element:<4} {form:<6} {taken:>12} {ideal:>12}  {ratio:.3f}")
    return 0 if excessive == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
