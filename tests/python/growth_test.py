"""Calls that are made again and again take no more memory.

MPF_EVERY_TRIAL=1 makes a million calls of each kind, of slow ones as many as take a minute.
"""
import ctypes
import gc
import os
import pickle
import sys
import tempfile
import time
import unittest
from unittest import mock

import numpy as np
from arrow_stream import Column, Table
from networks import network

import mpf

EINSUM = sys.modules["mpf.einsum"]  # mpf.einsum is the function
EVERY = bool(os.environ.get("MPF_EVERY_TRIAL"))
ROUNDS = 3  # what grows in each of them, by this much, is a leak; a cache that fills is none
BYTES_PER_CALL = 8
FEW_BYTES = 2048  # that caches of Python grow by, late
SECONDS = 60.0 if EVERY else 0.03  # of a round


class _Heap(ctypes.Structure):
    """struct mallinfo2 of glibc."""

    _fields_ = [(name, ctypes.c_size_t) for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks",
                                                     "fsmblks", "uordblks", "fordblks", "keepcost")]


try:
    _C = ctypes.CDLL(None)
    _C.mallinfo2.restype = _Heap
except AttributeError:
    _C = None


def bytes_in_use():
    """Bytes that the heap has given out, and 16 for each object of Python's own allocator."""
    gc.collect()
    heap = _C.mallinfo2()
    return heap.uordblks + heap.hblkhd + 16 * sys.getallocatedblocks()


def resident_bytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def refused(call):
    """The call, which must raise an error of mpf."""
    def checked():
        try:
            call()
        except mpf.Error:
            return
        raise AssertionError("the call was not refused")
    return checked


def calls(folder):
    """Name -> a call. Each is made many times."""
    m = network()
    rain, one, two = m.compile("P(rain)"), {"wet": "yes"}, {"wet": "no"}
    soft = m.compile("P(rain)", likelihoods=["wet"])
    swept = mpf.parse("param p in [0.25, 0.5]\nvar x : 2\nprob P(x) = [p, 1 - p]\n")
    counts = mpf.parse("var x, y : 3\nfactor f(x) = [1, 2, 3]\nfactor g(x, y) = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]\n")
    inputs = network()
    inputs.input(["rain"], "i", [1, 1])
    bound = inputs.compile("P(wet)")
    place = {"at": 0}

    def next_number():
        place["at"] += 1
        return place["at"]

    a, b = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4)
    whole, signed = np.arange(6).reshape(2, 3), np.arange(6).reshape(2, 3) - 3
    table, rows, best = m.posterior(["rain", "wet"]), m.posterior("rain", cases={"wet": ["yes"]}), m.best()
    frame = {"wet": ["yes", None, "no"]}
    codes = np.array([[0, 1], [-1, 1]], dtype=np.int8)
    path = os.path.join(folder, "m.mpf")
    bundle = os.path.join(folder, "m.mpfb")
    m.write(path)
    rain.save(bundle)
    saved, compiled_bytes, text = pickle.dumps(m), pickle.dumps(rain), m.text()
    optimizer = mpf.PathOptimizer()

    def changed():
        m.set("P(rain)", [0.5, 0.5])
        m.set("P(rain)", [0.8, 0.2])

    def observed():
        m.observe(one)
        m.unobserve("wet")

    def built():
        made = mpf.Network()
        made.var("x", ["a", "b"])
        made.var("y", 3)
        made.prob("x", [0.5, 0.5])
        made.factor(["x", "y"], np.ones((2, 3)))
        return made

    return {
        "posterior": lambda: m.posterior("rain", one),
        "posterior, changing evidence": lambda: m.posterior("rain", one if next_number() % 2 else two),
        "posterior, labels and numbers": lambda: m.posterior("rain", {"wet": next_number() % 2}),
        "posterior of two": lambda: m.posterior(["wet", "rain"]),
        "posterior, soft evidence": lambda: m.posterior("rain", {"wet": [0.25, 0.5]}),
        "posterior, timeout": lambda: m.posterior("rain", one, timeout=60),
        "posterior in logs": lambda: m.posterior("rain", one, log=True),
        "posteriors": lambda: m.posteriors(["rain", ("rain", "wet")], one),
        "marginals": lambda: m.marginals(one),
        "log_evidence": lambda: m.log_evidence(one),
        "best": lambda: m.best(one),
        "query": lambda: m.query("z(wet) = sum() P(rain) * P(wet)"),
        "query, one number": lambda: counts.query("z = sum() f * g", {"x": 1}),
        "query, whole numbers": lambda: counts.query("z(x) = sum() f * g", type="u64"),
        "query, rows": lambda: m.query("P(rain | wet)"),
        "queries of many texts": lambda: m.query(f"q{next_number() % 11} = sum() P(rain)"),
        "sweep": lambda: swept.posterior("x"),
        "cases, an array": lambda: m.posterior("rain", cases=codes),
        "cases, one row": lambda: m.log_evidence(cases={"wet": ["yes"]}),
        "cases, labels": lambda: m.marginals(cases=frame),
        "cases, dicts": lambda: m.best(cases=[one, {}]),
        "cases, Arrow": lambda: m.posterior("rain", cases=Table([{"wet": Column("u", ["yes", None, "no"])}])),
        "cases, skipped": lambda: m.posterior("rain", cases={"wet": ["yes", "?"]}, errors="skip"),
        "cases, joint": lambda: m.posteriors(["rain", ("rain", "wet")], cases=frame),
        "cases, soft evidence": lambda: m.posterior("rain", {"wet": [0.25, 0.5]}, cases={"rain": [None]}),
        "wrong label": refused(lambda: m.posterior("rain", {"wet": "perhaps"})),
        "wrong variable": refused(lambda: m.posterior("snow")),
        "wrong cell": refused(lambda: m.posterior("rain", cases={"wet": ["yes", "perhaps"]})),
        "wrong text": refused(lambda: m.query("z = sum( P(rain)")),
        "wrong model": refused(lambda: mpf.parse("var x : { a, b\n")),
        "wrong table": refused(lambda: m.set("P(rain)", [0.5, 0.25])),
        "compile": lambda: m.compile("P(rain)"),
        "mpf.compile and ask": lambda: mpf.compile(m, "marginals").ask(one),
        "compile, fewer observed": lambda: m.compile("P(rain)", observable=["wet"]).ask(one),
        "ask": lambda: rain.ask(one),
        "ask, soft evidence": lambda: soft.ask({"wet": [0.25, 0.5]}),
        "ask, cases": lambda: rain.ask(cases=codes),
        "bind": lambda: bound.bind("i", [1, next_number()]),
        "save": lambda: rain.save(bundle),
        "load": lambda: mpf.load(bundle).ask(one),
        "pickle a query": lambda: pickle.dumps(rain),
        "unpickle a query": lambda: pickle.loads(compiled_bytes),
        "pickle a network": lambda: pickle.dumps(m),
        "unpickle a network": lambda: pickle.loads(saved),
        "pickle tables": lambda: pickle.loads(pickle.dumps((table, best, m.variables["rain"]))),
        "text": lambda: m.text(),
        "parse": lambda: mpf.parse(text),
        "write": lambda: m.write(path),
        "read": lambda: mpf.read(path),
        "build": built,
        "build and ask": lambda: built().posterior("x"),
        "set": changed,
        "set and ask": lambda: (changed(), m.posterior("rain")),
        "observe": observed,
        "parts": lambda: (m.name, m.variables, m.factors, m.queries, m.params, m.evidence, repr(m), m._repr_html_()),
        "parts of a table": lambda: (table.log(), table.to_dict(), table["no", "yes"], table[{"rain": 1}], repr(table),
                                     table._repr_html_(), np.array(table), best.value),
        "parts of rows": lambda: (rows["no"], list(rows), repr(rows), np.asarray(rows)),
        "einsum": lambda: mpf.einsum("ij,jk->ik", a, b),
        "einsum, lists": lambda: mpf.einsum(a, ["x", "y"], b, ["y", "z"]),
        "einsum, max-sum": lambda: mpf.einsum("ij,jk->ik", a, b, semiring="max-sum"),
        "einsum, whole numbers": lambda: mpf.einsum("ij,ij->i", whole, whole),
        "einsum, negative numbers": lambda: mpf.einsum("ij,ij->i", signed, whole),
        "einsum, a path": lambda: mpf.einsum("ij,jk,k->i", a, b, b[0], optimize=[(0, 1), (0, 1)]),
        "einsum, many shapes": lambda: mpf.einsum("i,i->", np.ones(next_number() % 11 + 1), np.ones(1)),
        "einsum, forgotten": lambda: (mpf.clear_cache(), mpf.einsum("ij,jk->ik", a, b)),
        "einsum, wrong": refused(lambda: mpf.einsum("ij,jk->ik", a, a)),
        "contract": lambda: mpf.contract("ij,jk->ik", a, b),
        "tensordot": lambda: mpf.tensordot(a, b, 1),
        "transpose": lambda: mpf.transpose(a),
        "PathOptimizer": lambda: optimizer([{"i", "j"}, {"j", "k"}, {"k"}], {"i"}, {"i": 2, "j": 3, "k": 4}, None),
    }


@unittest.skipIf(_C is None, "the heap is not glibc's")
@unittest.skipIf("ASAN_OPTIONS" in os.environ, "the sanitizer's heap keeps what is freed")
class Growth(unittest.TestCase):
    @staticmethod
    def most(count):
        return BYTES_PER_CALL * count + FEW_BYTES

    def growth(self, call, seconds=SECONDS):
        """The least bytes in use, and resident, by which a round of calls grows, and its calls."""
        for _ in range(50):
            call()
        start = time.process_time()
        for _ in range(100 if EVERY else 20):
            call()
        each = (time.process_time() - start) / (100 if EVERY else 20)
        count = int(min(max(seconds / max(each, 1e-7), 60), 1_000_000 if EVERY else 2_000))
        growths = []
        for _ in range(ROUNDS):
            before, pages = bytes_in_use(), resident_bytes()
            for _ in range(count):
                call()
            growths.append((bytes_in_use() - before, resident_bytes() - pages))
            if growths[-1][0] < self.most(count) and growths[-1][1] <= 1 << 20:
                break
        return min(bytes for bytes, _ in growths), min(pages for _, pages in growths), count

    def test_each_call(self):
        small = mock.patch("mpf.programs._MOST_PROGRAMS", 8), mock.patch.object(EINSUM.PLANS, "most_plans", 8)
        with tempfile.TemporaryDirectory() as folder, small[0], small[1]:
            for name, call in calls(folder).items():
                with self.subTest(name):
                    grown, resident, count = self.growth(call)
                    if EVERY:
                        print(f"{name:32} {count:8} calls  {grown:9} bytes in use  {resident >> 10:6} KiB resident",
                              file=sys.__stdout__, flush=True)
                    self.assertLess(grown, self.most(count), f"{count} calls")
                    self.assertLessEqual(resident, 1 << 20, f"{count} calls")

    def test_a_leak_is_found(self):
        kept = []
        grown, _, count = self.growth(lambda: kept.append(bytearray(24)), 0.01)
        self.assertGreater(grown, self.most(count))


if __name__ == "__main__":
    unittest.main()
