#!/usr/bin/env python3
"""Runs exported buckets (mpf-bench buckets --export FILE) with other programs that a user could choose.

NumPy is needed; torch and opt_einsum are used when they can be imported. Entries and their check are those
of mpf-bench, and so is the flush of L2 before each timed run on a GPU. Peers:
- numpy.einsum: pairwise contraction with BLAS where it applies (optimize="greedy")
- numpy.matmul: buckets that are a matrix product: transposed, reshaped, OpenBLAS
- numpy.logsum: log form: sum of logs, logsumexp
- opt_einsum: order of contractions by opt_einsum, on torch if it has a GPU, else on NumPy
- torch.einsum, torch.matmul (cuBLAS), torch.logsumexp: on the GPU if torch has one
"""
import argparse
import importlib
import json
import os
import statistics
import sys
import time


def parseArguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("buckets", help="file of mpf-bench buckets --export")
    parser.add_argument("--mpf", help="report of mpf-bench buckets --json: print ratios to it")
    parser.add_argument("--json", help="file for the results")
    parser.add_argument("--types", default="f32,f64")
    parser.add_argument("--forms", default="linear")
    parser.add_argument("--peers", help="only these, comma-separated")
    parser.add_argument("--limit", type=int, help="only so many buckets of each set")
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--bucket-seconds", type=float, default=2.0)
    parser.add_argument("--total-seconds", type=float, default=300.0)
    parser.add_argument("--max-bytes", type=float, default=8e9, help="of anything a peer builds")
    parser.add_argument("--threads", type=int, default=1, help="of NumPy's BLAS and torch's CPU")
    parser.add_argument("--warm", action="store_true", help="do not flush the GPU's L2")
    parser.add_argument("--cpu", action="store_true", help="torch on the CPU even with a GPU")
    parser.add_argument("--summary", action="store_true", help="no line per bucket")
    return parser.parse_args()


def importOptional(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


options = parseArguments() if __name__ == "__main__" else None
if options:  # BLAS reads them when it is loaded
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(variable, str(options.threads))
try:
    import numpy as np
except ImportError:
    print("peers.py: NumPy is needed (Debian: python3-numpy)", file=sys.stderr)
    sys.exit(77)  # what CTest takes for a skipped test

from peer_bucket import Bucket, asMatrices, filledEntries


class NumpyPeers:
    device = "cpu"

    def fill(self, entries):
        self.entries = entries

    def einsum(self, bucket, tables):
        arguments = [x for pair in zip(tables, bucket.operands) for x in pair]
        return lambda: np.einsum(*arguments, bucket.result, optimize="greedy")

    def optEinsum(self, bucket, tables):
        contract = importlib.import_module("opt_einsum").contract
        arguments = [x for pair in zip(tables, bucket.operands) for x in pair]
        return lambda: contract(*arguments, bucket.result)

    def matmul(self, bucket, tables):
        return matrixProduct(bucket, tables, np.matmul, np.transpose)

    def logsum(self, bucket, tables):
        def run():
            terms = alignedSum(bucket, tables, np.transpose)
            most = terms.max(axis=0)
            return np.log2(np.exp2(terms - most).sum(axis=0)) + most
        return run

    def timeUs(self, run):
        # Use processor time for one thread, like mpf-bench: other jobs of the machine do not count.
        clock = time.process_time if options.threads == 1 else time.perf_counter
        start = clock()
        run()
        return (clock() - start) * 1e6

    def read(self, result, index):
        return result[index]

    def peers(self):
        peers = {"numpy.einsum": self.einsum, "numpy.matmul": self.matmul,
                 "numpy.logsum": self.logsum}
        if importOptional("opt_einsum"):
            peers["opt_einsum"] = self.optEinsum
        return peers


class TorchPeers(NumpyPeers):
    def __init__(self, torch, useCpu, warm, threads):
        self.torch = torch
        self.cuda = torch.cuda.is_available() and not useCpu
        self.device = torch.cuda.get_device_name() if self.cuda else "cpu"
        torch.set_num_threads(threads)
        flushes = self.cuda and not warm
        self.flush = torch.zeros(1 << 26, device="cuda") if flushes else None

    def fill(self, entries):
        self.entries = None  # before the next is there
        self.entries = self.torch.from_numpy(entries)
        if self.cuda:
            self.entries = self.entries.cuda()

    def einsum(self, bucket, tables):
        arguments = [x for pair in zip(tables, bucket.operands) for x in pair]
        return lambda: self.torch.einsum(*arguments, bucket.result)

    def matmul(self, bucket, tables):
        return matrixProduct(bucket, tables, self.torch.matmul, self.torch.permute)

    def logsum(self, bucket, tables):
        ln2 = 0.6931471805599453
        return lambda: self.torch.logsumexp(
            alignedSum(bucket, tables, self.torch.permute) * ln2, dim=0) / ln2

    def timeUs(self, run):
        if not self.cuda:
            return super().timeUs(run)
        if self.flush is not None:
            self.flush.sum()
        before, after = (self.torch.cuda.Event(enable_timing=True) for _ in range(2))
        before.record()
        run()
        after.record()
        self.torch.cuda.synchronize()
        return before.elapsed_time(after) * 1e3

    def read(self, result, index):
        return result[index].item()

    def peers(self):
        peers = {"torch.einsum": self.einsum, "torch.matmul": self.matmul,
                 "torch.logsumexp": self.logsum}
        if self.cuda and importOptional("opt_einsum"):
            peers["opt_einsum"] = self.optEinsum
        return peers


def matrixProduct(bucket, tables, matmul, permute):
    """Runs the bucket as one (batched) matrix product; copies for reshaping are part of its time."""
    groups = asMatrices(bucket)
    if groups is None:
        return None
    batch, rows, columns, summed = groups
    sizes = [bucket.size(group) for group in groups]

    def operand(table, digits, order):
        return permute(table, [digits.index(d) for d in order])

    def run():
        left = operand(tables[0], bucket.operands[0], batch + rows + summed)
        right = operand(tables[1], bucket.operands[1], batch + columns + summed)
        product = matmul(left.reshape(sizes[0], sizes[1], sizes[3]),
                         right.reshape(sizes[0], sizes[2], sizes[3]).swapaxes(1, 2))
        order = batch + rows + columns
        return permute(product.reshape(bucket.shape(order)), [order.index(d) for d in bucket.result])
    return run


def alignedSum(bucket, tables, permute):
    """Sums all logs at every address: the summed digits first as one, then the result's."""
    total = None
    order = bucket.reduced + bucket.result
    for table, digits in zip(tables, bucket.operands):
        present = [d for d in order if d in digits]
        shape = [bucket.extents[d] if d in digits else 1 for d in order]
        part = permute(table, [digits.index(d) for d in present]).reshape(shape)
        total = part if total is None else total + part
    return total.reshape((-1,) + bucket.shape(bucket.result))


def usesLogs(peer):
    return peer.endswith(("logsum", "logsumexp"))


def runPeer(name, backend, make, bucket, case, reference):
    """One row: time, error, outcome."""
    elementType, form = case
    dtype = np.dtype(np.float32 if elementType == "f32" else np.float64)
    row = {"set": bucket.set, "name": bucket.name, "type": elementType, "form": form, "peer": name,
           "device": backend.device, "operations": bucket.operations, "time_us": None}
    built = bucket.addresses() if usesLogs(name) else bucket.size(bucket.result)
    if built * dtype.itemsize > options.max_bytes:
        return {**row, "outcome": "skipped: too large"}
    try:
        run = make(bucket, bucket.tables(backend.entries, dtype.itemsize))
        if run is None:
            return None  # not a bucket for this peer
        started = time.perf_counter()
        error = bucket.worstError(bucket.tables(reference, dtype.itemsize), form,
                                  lambda index, result=run(): backend.read(result, index))
        row["worst_relative_error"] = error
        if not error <= 4 * bucket.tolerance(dtype):  # peers add in another order
            return {**row, "outcome": "WRONG"}
        times = [backend.timeUs(run)]
        while len(times) < options.repeats and \
                time.perf_counter() - started < options.bucket_seconds:
            times.append(backend.timeUs(run))
        return {**row, "time_us": statistics.median(times), "outcome": "right"}
    except (RuntimeError, ValueError, MemoryError, IndexError) as problem:
        return {**row, "outcome": f"failed: {str(problem).splitlines()[0][:100]}"}


def mpfTimes(path):
    """(set, name, type, form) -> time of a report; empty without one."""
    if not path:
        return {}, ""
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    return {(b["set"], b["name"], b["type"], b["form"]): b["time_us"] for b in report["buckets"]
            if b["time_us"] and b["semiring"] == "sum-product"}, report["device"]


def printRow(row):
    rate = f"{row['operations'] / row['time_us'] * 1e-3:10.1f}" if row["time_us"] else " " * 10
    timeText = f"{row['time_us']:12.1f}" if row["time_us"] else " " * 12
    ratio = f"{row['ratio']:8.2f}" if "ratio" in row else " " * 8
    print(f"{row['name']:<24} {row['type']} {row['form']:<6} {row['peer']:<16} {timeText} {rate} "
          f"{ratio} {row['outcome']}", flush=True)


def printSummary(rows, budgetSpent):
    groups = {}
    for row in rows:
        key = (row["set"], row["type"], row["form"], row["peer"], row["device"])
        groups.setdefault(key, []).append(row)
    print(f"\n{'set':<10} typ form   {'peer':<16} {'right':>6} {'other':>6}  peer time / mpf time: "
          "geometric mean, least")
    for key, group in groups.items():
        ratios = [row["ratio"] for row in group if "ratio" in row]
        text = f"{statistics.geometric_mean(ratios):8.2f} {min(ratios):8.2f} of {len(ratios)}" \
            if ratios else "       -"
        right = sum(row["outcome"] == "right" for row in group)
        print(f"{key[0]:<10} {key[1]} {key[2]:<6} {key[3]:<16} {right:>6} {len(group) - right:>6}  "
              f"{text}  ({key[4]})")
    if budgetSpent:
        print("the time budget was spent before the last bucket")


def loadBuckets():
    with open(options.buckets, encoding="utf-8") as file:
        buckets = [Bucket(exported) for exported in json.load(file)["buckets"]]
    counts, chosen = {}, []
    for bucket in buckets:
        counts[bucket.set] = counts.get(bucket.set, 0) + 1
        if options.limit is None or counts[bucket.set] <= options.limit:
            chosen.append(bucket)
    return chosen


def main():
    buckets = loadBuckets()
    times, mpfDevice = mpfTimes(options.mpf)
    backends = [NumpyPeers()]
    torch = importOptional("torch")
    if torch:
        backends.append(TorchPeers(torch, options.cpu, options.warm, options.threads))
    only = options.peers.split(",") if options.peers else None
    started, rows, spent = time.perf_counter(), [], False
    for elementType in options.types.split(","):
        for form in options.forms.split(","):
            itemBytes = 4 if elementType == "f32" else 8
            fitting = [b for b in buckets if b.places(itemBytes)[-1] * itemBytes <= options.max_bytes]
            if not fitting:
                continue
            reference = filledEntries(max(b.places(itemBytes)[-1] for b in fitting),
                                      np.float32 if itemBytes == 4 else np.float64, form)
            for backend in backends:
                backend.fill(reference)
                chosen = {name: make for name, make in backend.peers().items()
                          if usesLogs(name) == (form == "log") and (not only or name in only)}
                for bucket in fitting:
                    for name, make in chosen.items():
                        spent = time.perf_counter() - started > options.total_seconds
                        row = None if spent else runPeer(name, backend, make, bucket,
                                                         (elementType, form), reference)
                        if row is None:
                            continue
                        mpf = times.get((bucket.set, bucket.name, elementType, form))
                        sameDevice = (backend.device == "cpu") == mpfDevice.startswith("cpu")
                        if row["time_us"] and mpf and sameDevice:
                            row["ratio"] = row["time_us"] / mpf
                        rows.append(row)
                        if not options.summary:
                            printRow(row)
    printSummary(rows, spent)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"mpf_device": mpfDevice, "rows": rows}, file, indent=1)
    return 1 if any(row["outcome"] == "WRONG" for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
