"""The views of notebooks."""
import html
import re
import unittest

import mpf


class Views(unittest.TestCase):
    def setUp(self):
        self.m = mpf.Network("a < b")
        self.m.var("x & y", ["<no>", "yes"])
        self.m.prob("x & y", [0.25, 0.75])

    def test_names_are_escaped(self):
        for view in (self.m._repr_html_(), self.m.posterior("x & y")._repr_html_(), self.m.marginals()._repr_html_()):
            self.assertIn("&lt;no&gt;", view)
            self.assertNotIn("<no>", view)

    def test_explain(self):
        frame = self.m.explain("marginals")._repr_html_()
        self.assertRegex(frame, '^<iframe sandbox="allow-scripts" [^>]*srcdoc="[^"]*"></iframe>$')
        page = html.unescape(re.search('srcdoc="([^"]*)"', frame)[1])
        self.assertIn("<html", page)
        self.assertIn("marginals", page)

    def test_a_wrong_query_is_named(self):
        with self.assertRaisesRegex(mpf.Error, "nothing"):
            self.m.explain("nothing")


if __name__ == "__main__":
    unittest.main()
