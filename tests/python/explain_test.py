"""The views of notebooks."""
import html
import os
import re
import sysconfig
import tempfile
import unittest
from unittest import mock

import mpf
from mpf import notebook


without_sanitizers = unittest.skipIf("ASAN_OPTIONS" in os.environ, "a sanitized package is built without mpfc")


class Views(unittest.TestCase):
    def setUp(self):
        self.m = mpf.Network("a < b")
        self.m.var("x & y", ["<no>", "yes"])
        self.m.prob("x & y", [0.25, 0.75])

    def test_names_are_escaped(self):
        for view in (self.m._repr_html_(), self.m.posterior("x & y")._repr_html_(), self.m.marginals()._repr_html_()):
            self.assertIn("&lt;no&gt;", view)
            self.assertNotIn("<no>", view)

    @without_sanitizers
    def test_explain(self):
        frame = self.m.explain("marginals")._repr_html_()
        self.assertRegex(frame, '^<iframe sandbox="allow-scripts" [^>]*srcdoc="[^"]*"></iframe>$')
        page = html.unescape(re.search('srcdoc="([^"]*)"', frame)[1])
        self.assertIn("<html", page)
        self.assertIn("marginals", page)

    @without_sanitizers
    def test_a_wrong_query_is_named(self):
        with self.assertRaisesRegex(mpf.Error, "nothing"):
            self.m.explain("nothing")

    def test_the_program_of_each_way_to_install(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, {"PATH": folder}), \
                mock.patch.object(notebook, "__file__", os.path.join(folder, "target", "mpf", "notebook.py")), \
                mock.patch.object(sysconfig, "get_path", lambda _, scheme="venv": os.path.join(folder, scheme)):
            places = ["venv", sysconfig.get_preferred_scheme("user"), os.path.join("target", "bin"), ""]
            with self.assertRaisesRegex(mpf.Device, "not on PATH"):
                notebook._program()
            for place in reversed(places):
                os.makedirs(os.path.join(folder, place), exist_ok=True)
                program = os.path.join(folder, place, "mpfc")
                with open(program, "w", encoding="utf-8"):
                    os.chmod(program, 0o755)
                self.assertTrue(os.path.samefile(notebook._program(), program), place)


if __name__ == "__main__":
    unittest.main()
