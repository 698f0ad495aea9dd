"""Type checkers accept programs that use the package, and the stubs of its extension are right."""
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import unittest

TYPED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "typed")
# Findings of mypy's stubtest in every extension of nanobind, whose functions have a class of nanobind.
OF_NANOBIND = (r"is not a function", r"metaclass differs", r"is a disjoint base at runtime",
               r"stub is a staticmethod but runtime is not", r'stub does not have \*args parameter "args"')


@unittest.skipIf(importlib.util.find_spec("mypy") is None, "mypy is not installed: tools/test --all has it")
class Types(unittest.TestCase):
    def run_module(self, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            return subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True, cwd=folder)

    def test_programs(self):
        programs = sorted(os.path.join(TYPED, name) for name in os.listdir(TYPED) if name.endswith(".py"))
        self.assertGreaterEqual(len(programs), 10)
        found = self.run_module("mypy", "--strict", *programs)
        self.assertEqual(found.returncode, 0, found.stdout)

    def test_wrong_programs_are_found(self):
        with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
            file.write("import mpf\nx: int = mpf.read(3).posterior(\"a\")\n")
            file.flush()
            found = self.run_module("mypy", "--strict", file.name)
        self.assertIn("arg-type", found.stdout)
        self.assertIn("assignment", found.stdout)

    def test_stubs(self):
        found = self.run_module("mypy.stubtest", "mpf._mpf", "--concise")
        self.assertEqual(found.stderr, "")
        wrong = [line for line in found.stdout.splitlines() if not any(re.search(text, line) for text in OF_NANOBIND)]
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
