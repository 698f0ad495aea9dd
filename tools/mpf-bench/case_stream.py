#!/usr/bin/env python3
"""Feeds rows through a pipe to `mpfc run --cases -`. Prints rows per second, processor time and memory.

    case_stream.py MODEL ROWS.csv --mpfc build/tools/mpfc/mpfc --rows 1e8
                   [--npy] [--strange ROW.csv] [--options "--task PR --totals --max-memory 1GiB"]

The rows of ROWS.csv (with a header; see mpf-bench draw-cases) are sent repeatedly until --rows were sent;
nothing is stored. --npy sends states as bytes, in one array. --strange puts the row of another file, once,
into the middle. Memory is the resident set of mpfc (VmRSS) at each tenth of the rows, and its peak (VmHWM) at
the end.
"""
import argparse
import csv
import os
import resource
import subprocess
import sys
import time

from programs import end, outputOf, requireMpfc


def parseArguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("cases")
    parser.add_argument("--mpfc", default="mpfc")
    parser.add_argument("--rows", type=float, default=1e6)
    parser.add_argument("--npy", action="store_true")
    parser.add_argument("--strange", help="file of one row that is sent once")
    parser.add_argument("--options", default="--task PR --totals --device cpu --max-memory 1GiB")
    parser.add_argument("-o", dest="output", help="file for the answers; its last name tells the format")
    return parser.parse_args()


def csvBlocks(path):
    with open(path, "rb") as file:
        header = file.readline()
        body = file.read()
    return header, body, body.count(b"\n")


def labelsOf(mpfc, model):
    """{variable: its labels, in the order of its states}, in the order of the model."""
    found = {}
    for line in outputOf([mpfc, "--emit=model", model]).splitlines():
        words = line.split()  # var NAME extent=2 no yes
        if words and words[0] == "var":
            found[words[1]] = words[3:]
    return found


def npyBlocks(path, rows, mpfc, model):
    """Returns (header, body, count). The header is that of an array of at most `rows` rows, which are whole
    repetitions of the file. The body has the rows of the file as bytes, 255 if not observed; count is their
    number."""
    labels = labelsOf(mpfc, model)
    with open(path, newline="") as file:
        table = list(csv.DictReader(file))
    body = bytes(labels[name].index(row[name]) if row.get(name) else 255
                 for row in table for name in labels)
    shape = rows - rows % len(table), len(labels)
    text = f"{{'descr': '|u1', 'fortran_order': False, 'shape': {shape}, }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode(), body, len(table)


def residentKib(pid, key):
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        for line in file:
            if line.startswith(key):
                return int(line.split()[1])
    return 0


def feed(process, header, body, inBody, rows, strange):
    """Sends everything; returns (share of the rows, resident KiB) at each tenth."""
    pipe = process.stdin
    pipe.write(header)
    sent, tenths = 0, []
    lineEnds = None
    while sent < rows:
        take = min(inBody, rows - sent)
        if take == inBody:
            block = body
        else:
            lineEnds = lineEnds or body.split(b"\n")
            block = b"\n".join(lineEnds[:take]) + b"\n"
        if strange and sent <= rows // 2 < sent + take:
            pipe.write(strange)
        pipe.write(block)
        sent += take
        if sent * 10 // rows > len(tenths):
            tenths.append((sent / rows, residentKib(process.pid, "VmRSS")))
    peak = residentKib(process.pid, "VmHWM")
    pipe.close()
    return tenths, peak


def main():
    arguments = parseArguments()
    mpfc = requireMpfc(arguments.mpfc)
    rows = int(arguments.rows)
    if arguments.npy:
        header, body, inBody = npyBlocks(arguments.cases, rows, mpfc, arguments.model)
        rows -= rows % inBody
    else:
        header, body, inBody = csvBlocks(arguments.cases)
    strange = csvBlocks(arguments.strange)[1] if arguments.strange else None
    command = [mpfc, "run", arguments.model, "--cases", "-", *arguments.options.split()]
    if arguments.output:
        command += ["-o", arguments.output]
    started = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.PIPE)
    try:
        tenths, peak = feed(process, header, body, inBody, rows, strange)
    except BrokenPipeError:
        end(f"mpfc ended with {process.wait()} before it had all rows")
    status = process.wait()
    took = time.monotonic() - started
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = used.ru_utime + used.ru_stime
    print(f"{rows} rows, {took:.2f} s, {rows / took:.4g} rows/s; {seconds:.2f} s of processor time, "
          f"{rows / seconds:.4g} rows a core-second; peak {peak / 1024:.1f} MiB")
    print("resident MiB by tenth: " + " ".join(f"{kib / 1024:.1f}" for _, kib in tenths))
    return status


if __name__ == "__main__":
    sys.exit(main())
