"""The installed package: its files, what it imports and exports, its examples, and processes that use it."""
import doctest
import importlib
import multiprocessing
import os
import pkgutil
import signal
import subprocess
import sys
import sysconfig
import unittest

import numpy as np
from networks import network

import mpf
from mpf import _mpf

# Methods of public classes that other modules of the package call.
INTERNAL = {"Compiled.rebind", "Compiled.refuse", "Compiled.ask_known", "Compiled.findings"}

SPRINKLER = """
var rain, wet : { no, yes }
prob P(rain) = [0.8, 0.2]
prob P(wet | rain) = [[0.9, 0.1], [0.2, 0.8]]
"""


def posterior():
    return mpf.parse(SPRINKLER).posterior("rain", {"wet": "yes"})["yes"]


def answer(queue):
    queue.put(posterior())


class Package(unittest.TestCase):
    def run_python(self, code, **options):
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, **options)

    def test_importing_imports_numpy_alone(self):
        code = "import sys, mpf; print([m for m in ('pandas', 'torch', 'jax', 'pyarrow', 'tqdm') if m in sys.modules])"
        self.assertEqual(self.run_python(code).stdout.strip(), "[]")

    def test_importing_is_quick(self):
        code = ("import sys, numpy; before = set(sys.modules); import mpf; print([m for m in ('subprocess', 'tempfile', "
                "'shutil', 'lzma', 'difflib', 'html') if m in sys.modules and m not in before])")
        self.assertEqual(self.run_python(code).stdout.strip(), "[]")

    def test_files(self):
        folder = os.path.dirname(mpf.__file__)
        self.assertTrue(os.path.exists(os.path.join(folder, "py.typed")))
        name = os.path.basename(_mpf.__file__)
        stable = sys.version_info >= (3, 12) and not sysconfig.get_config_var("Py_GIL_DISABLED")
        self.assertEqual(name, "_mpf.abi3.so" if stable else "_mpf" + sysconfig.get_config_var("EXT_SUFFIX"))
        if "ASAN_OPTIONS" not in os.environ:  # a sanitized build has more symbols
            self.assertLessEqual(os.path.getsize(_mpf.__file__), 16 << 20)  # a wheel has it compressed

    def test_one_symbol_is_exported(self):
        try:
            listed = subprocess.run(["nm", "-D", "--defined-only", _mpf.__file__], capture_output=True, text=True,
                                    check=True)
        except FileNotFoundError:
            self.skipTest("there is no nm")
        self.assertEqual([line.split()[-1] for line in listed.stdout.splitlines()], ["PyInit__mpf"])

    def test_examples_of_docstrings(self):
        tried = 0
        for module in pkgutil.iter_modules(mpf.__path__, "mpf."):
            # `m` is the network of the first example, that of Network.
            found = doctest.testmod(importlib.import_module(module.name), extraglobs={"mpf": mpf, "np": np, "m": network()})
            self.assertEqual(found.failed, 0, module.name)
            tried += found.attempted
        self.assertGreater(tried, 60)

    def test_every_name_is_there(self):
        """Each has a text, and an example unless it is an exception or a property."""
        for name in mpf.__all__:
            named = getattr(mpf, name)
            members = [(name, named)]
            bases = [base for base in getattr(named, "__mro__", ()) if base.__module__.startswith("mpf")]
            members += [(f"{name}.{own}", value) for base in bases for own, value in vars(base).items()
                        if not own.startswith("_")]
            for shown, value in members:
                function = value.fget if isinstance(value, property) else value
                if not callable(function) or shown in INTERNAL:
                    continue
                text = function.__doc__ or ""
                self.assertTrue(text, shown)
                is_error = isinstance(value, type) and issubclass(value, Exception)
                if not is_error and not isinstance(value, property):
                    self.assertIn(">>>", text, shown)

    def test_processes(self):
        wanted = posterior()
        for method in ("fork", "spawn", "forkserver"):
            with self.subTest(method):
                context = multiprocessing.get_context(method)
                queue = context.Queue()
                process = context.Process(target=answer, args=(queue,))
                process.start()
                self.assertEqual(queue.get(timeout=60), wanted)
                process.join(60)
                self.assertEqual(process.exitcode, 0)

    def test_objects_that_live_at_the_end(self):
        code = (f"import mpf\nm = mpf.parse({SPRINKLER!r})\nq = m.compile('P(rain)')\nq.ask()\nq.itself = q\n"
                "t = m.posterior('rain'); r = m.posterior('rain', cases={'wet': [0, 1]}); mpf.einsum('a->', [1.0])")
        run = self.run_python(code)
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "", ""))

    def test_interrupt_between_blocks(self):
        # Shells start background processes with SIGINT ignored.
        code = ("import mpf, numpy, signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
                f"m = mpf.parse({SPRINKLER!r})\n"
                "cells = numpy.zeros(1 << 16, 'i1')\nm.log_evidence(cases={'wet': cells})\n"
                "try:\n    print('ready', flush=True)\n    while True: m.log_evidence(cases={'wet': cells})\n"
                "except KeyboardInterrupt:\n    print(len(m.log_evidence(cases={'wet': cells})))\n")
        process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.communicate(timeout=60)[0].strip(), str(1 << 16))


if __name__ == "__main__":
    unittest.main()
