"""Every notebook of the examples runs to its end."""
import importlib.util
import os
import unittest

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples")


@unittest.skipIf(importlib.util.find_spec("nbclient") is None, "nbclient is not installed: tools/test --all has it")
class Notebooks(unittest.TestCase):
    def test_each(self):
        import nbclient
        import nbformat
        found = [os.path.join(folder, name) for folder, _, names in os.walk(EXAMPLES) for name in names
                 if name.endswith(".ipynb")]
        self.assertTrue(found)
        for path in found:
            with self.subTest(os.path.basename(path)):
                notebook = nbformat.read(path, as_version=4)
                nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3",
                                        resources={"metadata": {"path": os.path.dirname(path)}}).execute()


if __name__ == "__main__":
    unittest.main()
