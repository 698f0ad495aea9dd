"""Cases in arrays on a GPU, with the fake driver (tests/support/fake_cuda.cpp): its memory is the host's.

Its kernels of lanes answer a case with its first word of codes, plus 1. The kernels that read columns and write answers
are real. device_test.py runs this file in a process of its own: MPF_LIBCUDA names the driver.
"""
import ctypes
import gc
import itertools
import os
import unittest

import numpy as np

import mpf
from mpf import _mpf

STATES = (3, 4, 2)
TYPES = {"<f8": ctypes.c_double, "<i4": ctypes.c_int32}


class OnGpu:
    """An array of numpy that says it is in the memory of a GPU."""

    def __init__(self, array, **changes):
        self.array = array
        found = array.__array_interface__
        self.__cuda_array_interface__ = {"shape": found["shape"], "typestr": found["typestr"], "data": found["data"],
                                         "strides": array.strides, "version": 3, "stream": None, **changes}


class Capsules:
    """An array of mpf on the GPU as a package of DLPack alone shows it."""

    def __init__(self, made, device=(2, 0), versions=True):
        self.made, self.device, self.versions, self.streams = made, device, versions, []

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, stream=None, **options):
        if options and not self.versions:
            raise TypeError("no such argument")
        self.streams.append(stream)
        return self.made.__dlpack__(stream=stream, **options)


def memory_of(array):
    """The numbers of an answer, whose memory is that of the host."""
    found = array.__cuda_array_interface__
    count = int(np.prod(found["shape"]))
    numbers = (TYPES[found["typestr"]] * max(count, 1)).from_address(found["data"][0])
    return np.array(numbers[:count]).reshape(found["shape"])


class Devices(unittest.TestCase):
    def setUp(self):
        self.network = mpf.Network()
        random = np.random.default_rng(3)
        for name, states in zip("abc", STATES):
            self.network.var(name, [f"{name}{i}" for i in range(states)])
            self.network.factor(name, [1.0] * states, name="f" + name)
        self.codes = np.stack([random.integers(-1, states, 300) for states in STATES], axis=1).astype(np.int8)
        self.query = self.network.compile("evidence", device="gpu")
        expected = np.where(self.codes < 0, STATES, self.codes)
        bytes_of = {order: sum(expected[:, column] << 8 * place for place, column in enumerate(order))
                    for order in itertools.permutations(range(3))}
        logs = memory_of(self.query.ask(cases=OnGpu(self.codes)))
        fitting = [(order, scale) for order in bytes_of for scale in range(-8, 8)  # of the query's tables
                   if np.allclose(np.exp(logs), (1.0 + bytes_of[order]) * 2.0 ** scale, rtol=1e-12)]
        self.assertEqual(len(fitting), 1, logs[:4])
        (order, self.scale), = fitting
        self.words = bytes_of[order]

    def ask(self, cases, **options):
        """The words of codes that the driver answered with."""
        return np.rint(np.exp(memory_of(self.query.ask(cases=cases, **options))) * 2.0 ** -self.scale - 1)

    def check(self, cases, **options):
        np.testing.assert_array_equal(self.ask(cases, **options), self.words)

    def raises(self, error, text, cases, **options):
        with self.assertRaisesRegex(error, text):
            self.query.ask(cases=cases, **options)


class Columns(Devices):
    def test_types(self):
        for kind in ("i1", "i2", "i4", "i8", "f4", "f8"):
            self.check(OnGpu(self.codes.astype(kind)))
        for kind in ("u1", "u2", "u4", "u8"):
            codes = self.codes.astype(kind)
            codes[self.codes < 0] = np.iinfo(kind).max
            self.check(OnGpu(codes))
        self.check(OnGpu(np.where(self.codes < 0, np.nan, self.codes)))

    def test_strides(self):
        self.check(OnGpu(np.asfortranarray(self.codes)))
        self.check(OnGpu(np.repeat(self.codes, 3, axis=1)[:, ::3]))
        self.check(OnGpu(np.repeat(self.codes.astype("i4"), 2, axis=0)[::2]))
        self.check(OnGpu(np.ascontiguousarray(self.codes[::-1])[::-1]))
        self.check(OnGpu(np.ascontiguousarray(self.codes), strides=None))

    def test_dicts(self):
        self.check({name: OnGpu(self.codes[:, column]) for column, name in enumerate("abc")})
        self.check({"c": OnGpu(self.codes[:, 2].astype("i8")), "a": OnGpu(self.codes[:, 0].copy()),
                    "b": OnGpu(self.codes[:, 1].astype("f4"))})
        self.check({"c": OnGpu(self.codes[:, 2]), "x": OnGpu(self.codes[:, 0]), "a": OnGpu(self.codes[:, 0]),
                    "b": OnGpu(self.codes[:, 1])}, ignore="x")
        fixed = self.codes.copy()
        fixed[:, 1] = 2
        np.testing.assert_array_equal(self.ask({"a": OnGpu(fixed[:, 0]), "c": OnGpu(fixed[:, 2])}, given={"b": "b2"}),
                                      self.ask(OnGpu(fixed)))

    def test_wrong_numbers(self):
        codes = self.codes.copy()
        codes[7, 1] = 4
        words = self.ask(OnGpu(codes))
        self.assertEqual(list(np.isnan(words).nonzero()[0]), [7])
        self.assertEqual(self.query._asker.session.device_counts(), (1, 0))

    def test_no_rows(self):
        self.assertEqual(self.query.ask(cases=OnGpu(self.codes[:0])).shape, (0,))

    def test_names_of_numbers(self):
        self.network.var("n", ["1", "2"])
        self.network.prob("n", [0.5, 0.5])
        codes = np.zeros((2, 4), dtype=np.int8)
        with self.assertRaisesRegex(mpf.Usage, "look like numbers"):
            self.network.log_evidence(cases=OnGpu(codes), device="gpu")
        self.network.log_evidence(cases=OnGpu(codes), device="gpu", states="numbers")

    def test_labels_that_would_mean_nothing(self):
        for label, kind in (("-1", "i1"), ("nan", "f4"), ("255", "u1")):
            m = mpf.Network()
            m.var("n", ["low", label])
            m.prob("n", [0.5, 0.5])
            with self.assertRaisesRegex(mpf.Usage, "would mean"):
                m.log_evidence(cases=OnGpu(np.zeros((2, 1), kind)), device="gpu", states="numbers")


class Answers(Devices):
    def test_kinds(self):
        table = self.network.posterior("a", cases=OnGpu(self.codes))
        self.assertEqual((len(table), table.shape), (300, (300, 3)))
        found = self.network.marginals(cases=OnGpu(self.codes))
        self.assertEqual([list(found), found.log_evidence.shape, found["b"].shape], [["a", "b", "c"], (300,), (300, 4)])
        best = self.network.best(cases=OnGpu(self.codes))
        self.assertEqual((best.states.shape, best.log_value.shape, len(best)), ((300, 3), (300,), 300))
        for use in (lambda: best["a"], lambda: np.asarray(table), table.to_frame):
            with self.assertRaisesRegex((mpf.Usage, ImportError), "memory of a GPU|pandas"):
                use()
        self.assertEqual(self.network.posterior(["a", "b"], cases=OnGpu(self.codes)).shape, (300, 3, 4))

    def test_what_the_device_does_not_answer(self):
        with self.assertRaisesRegex(mpf.Unsupported, r"P\(x \| y\)"):
            self.network.query("P(a | b)", cases=OnGpu(self.codes))
        with self.assertRaisesRegex(mpf.Unsupported, "soft evidence"):
            self.network.log_evidence({"b": [1, 2, 3, 4]}, cases={"a": OnGpu(self.codes[:, 0])})
        with self.assertRaisesRegex(mpf.Usage, "device=\"cpu\""):
            self.network.log_evidence(cases=OnGpu(self.codes), device="cpu")

    def test_new_values(self):
        self.query.bind("fa", [1, 1, 1])
        self.check(OnGpu(self.codes))


class Exact(Devices):
    """Rows that leave the range of numbers on the device; the right answer counts the states that fit."""

    def lose(self, row):
        os.environ["MPF_FAKE_CUDA_LOST"] = str(self.words[row])
        self.addCleanup(os.environ.pop, "MPF_FAKE_CUDA_LOST")
        return self.words == self.words[row]

    def test_rows_are_answered_on_the_host(self):
        lost = self.lose(5)
        self.assertEqual(list(np.isnan(self.ask(OnGpu(self.codes)))), list(lost))
        right = np.log(np.where(self.codes < 0, STATES, 1).prod(axis=1))
        for cases in (OnGpu(self.codes), OnGpu(np.asfortranarray(self.codes)), OnGpu(self.codes.astype("f4")),
                      OnGpu(np.ascontiguousarray(self.codes[::-1])[::-1]),
                      {name: OnGpu(self.codes[:, column].astype("i8")) for column, name in enumerate("abc")}):
            found = memory_of(self.query.ask(cases=cases, exact=True))
            np.testing.assert_allclose(found[lost], right[lost], rtol=1e-12)
            np.testing.assert_array_equal(np.rint(np.exp(found[~lost]) * 2.0 ** -self.scale - 1), self.words[~lost])

    def test_wrong_rows_stay_without_an_answer(self):
        lost = self.lose(5)
        codes = self.codes.copy()
        codes[5, 1] = 4
        found = memory_of(self.query.ask(cases=OnGpu(codes), exact=True))
        self.assertTrue(np.isnan(found[5]))
        self.assertEqual(np.isnan(found).sum(), 1)
        self.assertGreater(lost.sum(), 1)

    def test_every_kind_of_answer(self):
        lost = self.lose(5)
        cases, host = {"cases": OnGpu(self.codes), "exact": True}, {"cases": self.codes, "device": "cpu"}
        pairs = [(self.network.posterior("a", **cases).values, self.network.posterior("a", **host).values)]
        found, right = self.network.marginals(**cases), self.network.marginals(**host)
        pairs += [(found.log_evidence, right.log_evidence), (found["b"].values, right["b"].values)]
        found, right = self.network.best(**cases), self.network.best(**host)
        pairs += [(found.log_value, right.log_value)]
        for answer, expected in pairs:
            np.testing.assert_allclose(memory_of(answer)[lost], expected[lost], rtol=1e-12)
        self.assertTrue((memory_of(found.states)[lost] >= 0).all())


class Protocols(Devices):
    def filled(self):
        """An array [case, variable] of int32 that mpf made."""
        made = _mpf.DeviceArray([300, 3], False, 1, None)
        ctypes.memmove(made.address(), self.codes.astype("i4").tobytes(), 300 * 3 * 4)
        return made

    def test_dlpack(self):
        made = self.filled()
        for versions in (True, False):
            package = Capsules(made, versions=versions)
            self.check(package)
            self.assertEqual(package.streams, [1])
            self.check(package, stream=2)
            self.assertEqual(package.streams, [1, 2])
        self.check(made)
        for version, name in ((None, "dltensor"), ((0, 8), "dltensor"), ((1, 0), "dltensor_versioned")):
            capsule = made.__dlpack__(max_version=version)
            self.assertIn(f'"{name}"', repr(capsule))
            view = _mpf.ArrayView(capsule)
            self.assertEqual((view.shape(), view.strides(), view.device(), view.type()), ([300, 3], [12, 4], (2, 0), (0, 32)))
            self.assertFalse(view.is_read_only())
            with self.assertRaisesRegex(mpf.BadInput, "used before"):
                _mpf.ArrayView(capsule)
        for wrong in ({"stream": 0}, {"stream": -2}, {"copy": True}, {"dl_device": (1, 0)}):
            with self.assertRaises((ValueError, BufferError)):
                made.__dlpack__(**wrong)
        self.assertEqual(made.__dlpack_device__(), (2, 0))

    def test_lives(self):
        made = self.filled()
        capsule = made.__dlpack__(stream=-1)
        del made
        view = _mpf.ArrayView(capsule)
        del capsule
        gc.collect()
        numbers = (ctypes.c_int32 * 900).from_address(view.address())
        np.testing.assert_array_equal(np.array(numbers).reshape(300, 3), self.codes)
        del view

    def test_streams(self):
        self.check(OnGpu(self.codes, stream=2))
        self.check(OnGpu(self.codes, stream=1), stream=2)
        self.assertEqual(self.query.ask(cases=OnGpu(self.codes), stream=2).__cuda_array_interface__["stream"], 2)
        for wrong in (-1, True, "1", 1.5):
            self.raises(mpf.Usage, "stream=", OnGpu(self.codes), stream=wrong)
        self.raises(mpf.BadInput, "stream 0", OnGpu(self.codes, stream=0))

    def test_wrong_arrays(self):
        codes = self.codes
        self.raises(mpf.BadInput, "shape", OnGpu(codes[:, :2]))
        self.raises(mpf.BadInput, "2 axes", OnGpu(codes[:, 0]))
        self.raises(mpf.BadInput, "1 axes", {"a": OnGpu(codes)})
        self.raises(mpf.BadInput, "length", {"a": OnGpu(codes[:, 0]), "b": OnGpu(codes[:9, 1])})
        self.raises(mpf.BadInput, "'a' lies in the memory of a GPU and 'b' does not", {"a": OnGpu(codes[:, 0]), "b": codes[:, 1]})
        self.raises(mpf.Usage, "no variable 'x'", {"x": OnGpu(codes[:, 0])})
        self.raises(mpf.BadInput, "called 3", {3: OnGpu(codes[:, 0])})
        self.raises(mpf.Usage, "given, and a column", {"a": OnGpu(codes[:, 0])}, given={"a": 0})
        self.raises(TypeError, "float32 or float64", OnGpu(codes.astype("f2")))
        self.raises(TypeError, "bools, integers", OnGpu(codes.astype("c8")))
        self.raises(TypeError, "another order", OnGpu(codes.astype(">i4")))
        self.raises(mpf.BadInput, "freed", OnGpu(codes, data=(0, False)))
        self.raises(TypeError, "numpy type", OnGpu(codes, typestr="<M8[ns]"))
        self.raises(mpf.Usage, "progress", OnGpu(codes), progress=True)
        self.raises(mpf.Usage, "of __main__ and mpf", {"a": OnGpu(codes[:, 0]), "b": self.filled()})
        self.raises(mpf.Usage, "multiples of 4", OnGpu(codes.astype("i4"), strides=(13, 4)))
        self.raises(mpf.BadInput, "mask", OnGpu(codes, mask=OnGpu(codes > 0)))
        made = self.filled()
        self.raises(mpf.Unsupported, "type 10", Capsules(made, device=(10, 0)))

        class Broken(Capsules):
            def __dlpack__(self, **options):
                raise BufferError("the array has been deleted")
        self.raises(mpf.BadInput, "has been deleted", Broken(made))

        class Host(Capsules):
            def __dlpack__(self, **options):
                return np.zeros((300, 3)).__dlpack__()
        self.raises(mpf.BadInput, "type 1", Host(made))

        class Used(Capsules):
            def __dlpack__(self, **options):
                capsule = self.made.__dlpack__()
                _mpf.ArrayView(capsule)
                return capsule
        self.raises(mpf.BadInput, "used before", Used(made))


class Joined(Devices):
    def test_several_posteriors(self):
        scopes = [("a", "b"), ("b", "a"), "c", ("b", "c")]
        found = self.network.posteriors(scopes, cases=OnGpu(self.codes), device="gpu")
        self.assertEqual(list(found), scopes)
        for scope in scopes:
            names = (scope,) if isinstance(scope, str) else scope
            self.assertEqual(found[scope].names, names)
            self.assertEqual(memory_of(found[scope].values).shape, (300, *(STATES["abc".index(n)] for n in names)))


class Counts(Devices):
    def check_launches(self, cases, lanes, around):
        """Counts launches of the kernel of lanes, and of kernels around it, in three calls."""
        self.query.ask(cases=cases)
        log = os.environ["MPF_FAKE_CUDA_LOG"]
        with open(log) as file:
            before = len(file.readlines())
        answers = [self.query.ask(cases=cases, stream=2) for _ in range(3)]
        with open(log) as file:
            calls = [line.split()[:2] for line in file.readlines()[before:]]
        self.assertEqual((calls.count(["launch", "2"]), calls.count(["overlapping", "2"])), (lanes, around))
        self.assertEqual({name for name, _ in calls}, {"launch", "wait", "record", *["overlapping"] * (around > 0)})
        self.assertEqual({stream for _, stream in calls}, {"2"})
        self.assertEqual(len(answers), 3)

    def test_nothing_is_copied_and_nothing_waits(self):
        self.check_launches(OnGpu(np.repeat(self.codes, 50, axis=0).astype(np.int32)), 3, 6)

    def test_lanes_read_rows_of_bytes_themselves(self):
        self.check_launches(OnGpu(np.repeat(self.codes, 50, axis=0)), 3, 0)


class Large(unittest.TestCase):
    def test_lanes_answer_where_a_host_would_choose_tables(self):
        network = mpf.Network()
        for v in range(60):
            network.var(f"v{v}", ["x", "y", "z"])
        random = np.random.default_rng(1)
        for v in range(60):
            scope = [f"v{v}"] + [f"v{max(v - back, 0)}" for back in (1, 7) if v > back]
            network.factor(scope, random.random([3] * len(scope)), name=f"f{v}")
        answers = network.compile("evidence", device="gpu").ask(cases=OnGpu(np.full((5, 60), -1, np.int8)))
        self.assertEqual(memory_of(answers).shape, (5,))


if __name__ == "__main__":
    unittest.main()
