"""The library for C as another language sees it: its symbols, null pointers, and random networks.

usage: library_test.py FOLDER_OF_HEADERS LIBRARY
"""
import ctypes
import itertools
import random
import subprocess
import sys
import unittest
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from fractions import Fraction

from prototypes import functionsIn

FOLDER, LIBRARY = sys.argv[1:3]
FUNCTIONS = functionsIn(FOLDER)
USAGE = 2
NETWORKS = 60


class Column(ctypes.Structure):
    _fields_ = [("size", c_uint32), ("type", c_int32), ("variable", c_char_p), ("data", c_void_p),
                ("stride", c_int64)]


class Answer(ctypes.Structure):
    _fields_ = [("size", c_uint32), ("kind", c_int32), ("table", c_char_p), ("entries", c_uint64),
                ("data", c_void_p), ("stride", c_int64)]


NUMBERS = {"uint32_t": c_uint32, "int32_t": c_int32, "uint64_t": c_uint64, "int64_t": c_int64, "size_t": c_size_t,
           "double": c_double, "int": c_int, "mpf_status": c_int}


def load():
    library = ctypes.CDLL(LIBRARY)
    for function in FUNCTIONS:
        native = getattr(library, function.name)
        native.restype = {"mpf_status": c_int, "void": None, "const char *": c_char_p}.get(function.result, c_uint32)
        native.argtypes = [c_void_p if one.isPointer else NUMBERS[one.type] for one in function.parameters]
    return library


MPF = load()


def check(status):
    if status != 0:
        raise AssertionError(f"{status}: {MPF.mpf_last_error().decode()}")


def made(function, *arguments):
    """The handle that a function makes."""
    handle = c_void_p()
    check(function(*arguments, byref(handle)))
    return handle


def doubles(values):
    return (c_double * len(values))(*values)


def texts(names):
    return (c_char_p * max(len(names), 1))(*(name.encode() for name in names))


class Symbols(unittest.TestCase):
    def test_are_those_of_the_headers_with_a_version(self):
        listing = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], capture_output=True, text=True, check=True)
        symbols = {line.split()[-1] for line in listing.stdout.splitlines()} - {"MPF_0"}
        self.assertEqual(symbols, {f"{function.name}@@MPF_0" for function in FUNCTIONS})

    def test_version_is_that_of_the_header(self):
        with open(f"{FOLDER}/mpf_c.h", encoding="utf-8") as file:
            number = next(line.split()[2] for line in file if line.startswith("#define MPF_ABI_VERSION"))
        self.assertEqual(MPF.mpf_abi_version(), int(number.rstrip("u"), 0))

    def test_library_is_called_by_its_major_version(self):
        dynamic = subprocess.run(["objdump", "-p", LIBRARY], capture_output=True, text=True, check=True).stdout
        self.assertRegex(dynamic, r"SONAME +libmpf_c\.so\.0\n")


class Nulls(unittest.TestCase):
    """Calls each function with one null pointer after the other, and with good arguments beside it."""

    def setUp(self):
        self.network = network = made(MPF.mpf_network_new, b"n")
        check(MPF.mpf_network_add_variable(network, b"a", 2, None))
        check(MPF.mpf_network_add_conditional(network, b"a", None, 0, doubles([0.5, 0.5]), 2))
        self.program = made(MPF.mpf_compile_cases, network, b"best", None)
        self.session = made(MPF.mpf_session_open, self.program, None)
        self.handles = {"mpf_network": network, "mpf_program": self.program, "mpf_session": self.session,
                        "mpf_result": made(MPF.mpf_session_run, self.session),
                        "mpf_cases": made(MPF.mpf_cases_open, self.program, None),
                        "mpf_options": made(MPF.mpf_options_new)}

    def tearDown(self):
        for kind, handle in self.handles.items():
            getattr(MPF, f"{kind}_free")(handle)

    def good(self, parameter):
        kind = parameter.type.replace("const", "").replace("*", "").strip()
        if not parameter.isPointer:
            return 0 if parameter.name in ("index", "table") else 1
        if kind in self.handles and parameter.type.count("*") == 1:
            return self.handles[kind]
        if parameter.type == "const char *":
            return b"a"
        if parameter.type == "const char *const *":
            return texts(["a"])
        if kind == "mpf_column":
            self.cells = (ctypes.c_int8 * 1)(0)
            return byref(Column(ctypes.sizeof(Column), 1, b"a", ctypes.addressof(self.cells), 1))
        if kind in ("mpf_device_rows", "mpf_device_cases"):
            buffer = ctypes.create_string_buffer(64)
            ctypes.cast(buffer, POINTER(c_uint32))[0] = 56
            return buffer
        if kind == "mpf_answer":
            self.states = (c_int32 * 1)()
            return byref(Answer(ctypes.sizeof(Answer), 3, None, 1, ctypes.addressof(self.states), 4))
        return ctypes.create_string_buffer(64)

    def test_null_pointers_are_usage(self):
        tried = 0
        for function in FUNCTIONS:
            if function.result != "mpf_status":
                continue
            for place, parameter in enumerate(function.parameters):
                if not parameter.isPointer or parameter.isOptional:
                    continue
                arguments = [self.good(one) for one in function.parameters]
                arguments[place] = None
                with self.subTest(function=function.name, parameter=parameter.name):
                    self.assertEqual(getattr(MPF, function.name)(*arguments), USAGE)
                    self.assertTrue(MPF.mpf_last_error().endswith(b" is null"), MPF.mpf_last_error())
                tried += 1
        self.assertGreater(tried, 150)

    def test_nothing_is_freed_and_has_no_message(self):
        for kind in self.handles:
            getattr(MPF, f"{kind}_free")(None)
            self.assertEqual(getattr(MPF, f"{kind}_error")(None), b"")

    def test_null_texts_of_a_list_are_usage(self):
        none = (c_char_p * 2)(b"a", None)
        self.assertEqual(MPF.mpf_network_add_factor(self.network, b"f", none, 2, doubles([1] * 4), 4), USAGE)
        self.assertEqual(MPF.mpf_network_add_variable(self.network, b"b", 2, none), USAGE)
        self.assertEqual(MPF.mpf_network_set_queries(self.network, none, 2), USAGE)


class RandomNetwork:
    """Factors of small whole numbers over variables of 2 or 3 states, and sums over all assignments."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.states = [self.random.choice([2, 2, 3]) for _ in range(self.random.randint(2, 6))]
        self.factors = []
        for _ in range(self.random.randint(len(self.states), 2 * len(self.states))):
            scope = self.random.sample(range(len(self.states)), min(self.random.randint(1, 3), len(self.states)))
            size = 1
            for variable in scope:
                size *= self.states[variable]
            self.factors.append((scope, [self.random.choice([0, 1, 1, 2, 5, 9]) for _ in range(size)]))

    def handle(self):
        network = made(MPF.mpf_network_new, b"random")
        for number, states in enumerate(self.states):
            labels = texts([f"s{state}" for state in range(states)]) if number % 2 else None
            check(MPF.mpf_network_add_variable(network, self.name(number), states, labels))
        for number, (scope, values) in enumerate(self.factors):
            names = texts([f"v{variable}" for variable in scope])
            check(MPF.mpf_network_add_factor(network, f"f{number}".encode(), names, len(scope), doubles(values),
                                             len(values)))
        return network

    def name(self, variable):
        return f"v{variable}".encode()

    def weight(self, assignment):
        product = Fraction(1)
        for scope, values in self.factors:
            at = 0
            for variable in scope:
                at = at * self.states[variable] + assignment[variable]
            product *= values[at]
        return product

    def weights(self, evidence):
        """assignment -> weight, for all that agree with the evidence."""
        ranges = [[evidence[v]] if v in evidence else range(states) for v, states in enumerate(self.states)]
        return {assignment: self.weight(assignment) for assignment in itertools.product(*ranges)}

    def evidence(self):
        return {variable: self.random.randrange(states) for variable, states in enumerate(self.states)
                if self.random.random() < 0.4}


class Answers(unittest.TestCase):
    """Posteriors, sums and best assignments of random networks, one case at a time and as rows."""

    def near(self, found, wanted):
        self.assertAlmostEqual(found, float(wanted), delta=1e-12 * max(1.0, abs(float(wanted))))

    def session(self, network, query):
        program = made(MPF.mpf_compile_cases, network, query, None)
        session = made(MPF.mpf_session_open, program, None)
        self.addCleanup(MPF.mpf_session_free, session)
        self.addCleanup(MPF.mpf_program_free, program)
        return program, session

    def test_single_cases(self):
        for seed in range(NETWORKS):
            network = RandomNetwork(seed)
            handle = network.handle()
            _, marginals = self.session(handle, b"marginals")
            _, best = self.session(handle, b"best")
            for _ in range(3):
                evidence = network.evidence()
                for session in (marginals, best):
                    check(MPF.mpf_session_unobserve_all(session))
                    for variable, state in evidence.items():
                        check(MPF.mpf_session_observe(session, network.name(variable), state))
                with self.subTest(seed=seed, evidence=evidence):
                    self.checkMarginals(network, marginals, evidence)
                    self.checkBest(network, best, evidence)
            MPF.mpf_network_free(handle)

    def checkMarginals(self, network, session, evidence):
        weights = network.weights(evidence)
        total = sum(weights.values())
        result = made(MPF.mpf_session_run, session)
        mantissa, exponent, impossible = c_double(), c_int64(), c_int()
        check(MPF.mpf_result_number(result, byref(mantissa), byref(exponent)))
        self.near(mantissa.value * 2.0 ** exponent.value, total)
        check(MPF.mpf_result_is_impossible(result, byref(impossible)))
        self.assertEqual(impossible.value, total == 0)
        for variable, states in enumerate(network.states):
            for state in range(states if total else 0):
                part = sum(weight for assignment, weight in weights.items() if assignment[variable] == state)
                value = c_double()
                label = f"s{state}" if variable % 2 else str(state)
                check(MPF.mpf_result_at(result, texts([f"v{variable}"]), texts([label]), 1, byref(value)))
                self.near(value.value, part / total)
        MPF.mpf_result_free(result)

    def checkBest(self, network, session, evidence):
        weights = network.weights(evidence)
        result = made(MPF.mpf_session_run, session)
        count, state, label = c_size_t(), c_uint32(), c_char_p()
        check(MPF.mpf_result_assignment_count(result, byref(count)))
        self.assertEqual(count.value, 1 if any(weights.values()) else 0)
        if count.value:
            found = []
            for variable in range(len(network.states)):
                check(MPF.mpf_result_state(result, 0, network.name(variable), byref(state), byref(label)))
                found.append(state.value)
                self.assertEqual(label.value.decode(), f"s{state.value}" if variable % 2 else str(state.value))
            self.assertEqual(network.weight(found), max(weights.values()))
        MPF.mpf_result_free(result)

    def test_rows(self):
        for seed in range(NETWORKS):
            network = RandomNetwork(1000 + seed)
            handle = network.handle()
            program, session = self.session(handle, b"marginals")
            cases = made(MPF.mpf_cases_open, program, None)
            self.addCleanup(MPF.mpf_cases_free, cases)
            with self.subTest(seed=seed):
                self.checkRows(network, cases)
            MPF.mpf_network_free(handle)

    def checkRows(self, network, cases):
        rows = [network.evidence() for _ in range(8)]
        names, keep = [network.name(v) for v in range(len(network.states))], []
        columns = (Column * len(names))()
        for variable, name in enumerate(names):
            if variable % 2:
                cells = (c_char_p * len(rows))(*(f"s{row[variable]}".encode() if variable in row else None
                                                 for row in rows))
                columns[variable] = Column(ctypes.sizeof(Column), 12, name, ctypes.addressof(cells), 8)
            else:
                cells = (c_double * (2 * len(rows)))(*itertools.chain.from_iterable(
                    (row.get(variable, float("nan")), 0) for row in rows))
                columns[variable] = Column(ctypes.sizeof(Column), 10, name, ctypes.addressof(cells), 16)
            keep.append(cells)
        logs = (c_double * len(rows))()
        arrays = [(c_double * (len(rows) * states))() for states in network.states]
        answers = (Answer * (1 + len(names)))(
            Answer(ctypes.sizeof(Answer), 2, b"evidence", 1, ctypes.addressof(logs), 8),
            *(Answer(ctypes.sizeof(Answer), 1, name, states, ctypes.addressof(array), 8 * states)
              for name, states, array in zip(names, network.states, arrays)))
        check(MPF.mpf_cases_run(cases, columns, len(names), len(rows), answers, len(answers)))
        for row, evidence in enumerate(rows):
            weights = network.weights(evidence)
            total = sum(weights.values())
            self.near(2.718281828459045 ** logs[row], total)
            for variable, states in enumerate(network.states):
                for state in range(states):
                    value = arrays[variable][row * states + state]
                    if not total:
                        self.assertNotEqual(value, value)
                        continue
                    part = sum(weight for assignment, weight in weights.items() if assignment[variable] == state)
                    self.near(value, part / total)


class Memory(unittest.TestCase):
    def test_many_calls_do_not_grow(self):
        network = RandomNetwork(1).handle()
        program = made(MPF.mpf_compile_cases, network, b"marginals", None)
        session = made(MPF.mpf_session_open, program, None)

        def resident():
            with open("/proc/self/statm", encoding="ascii") as file:
                return int(file.read().split()[1])

        def call(times):
            for _ in range(times):
                MPF.mpf_session_observe(session, b"nothing", 0)  # a message in session and thread
                MPF.mpf_result_free(made(MPF.mpf_session_run, session))

        call(2000)
        before = resident()
        call(10000)
        self.assertLess(resident() - before, 128, "pages")
        for kind, handle in (("network", network), ("program", program), ("session", session)):
            getattr(MPF, f"mpf_{kind}_free")(handle)


unittest.main(argv=sys.argv[:1])
