"""Signals and time limits end long calls, whose objects can be used afterwards."""
import signal
import time
import unittest

import numpy as np

import mpf


class Alarm(Exception):
    pass


def ring(signum, frame):
    raise Alarm


def grid(side, states=4):
    """A grid whose tables fill the memory of no machine: it runs in slices, for hours."""
    random = np.random.default_rng(26)
    m = mpf.Network("grid")
    for row in range(side):
        for column in range(side):
            m.var(f"x{row}_{column}", states)
    for row in range(side):
        for column in range(side):
            for down, right in ((1, 0), (0, 1)):
                if row + down < side and column + right < side:
                    m.factor([f"x{row}_{column}", f"x{row + down}_{column + right}"], random.random((states, states)))
    return m


class Interrupts(unittest.TestCase):
    MOST_SECONDS = 10  # a loaded machine is slow; on a quiet one it takes 0.1 s

    def ends(self, call, kind):
        """Checks that a call ends by an alarm after 0.5 s, and by `kind` after a limit of 0.5 s."""
        old = signal.signal(signal.SIGALRM, ring)
        try:
            begin = time.monotonic()
            signal.setitimer(signal.ITIMER_REAL, 0.5)
            with self.assertRaises(Alarm):
                call()
            self.assertLess(time.monotonic() - begin, 0.5 + self.MOST_SECONDS)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, old)
        begin = time.monotonic()
        with self.assertRaises(kind):
            call(timeout=0.5)
        self.assertLess(time.monotonic() - begin, 0.5 + self.MOST_SECONDS)

    def test_compiling(self):
        m = grid(16)
        self.ends(lambda **limit: m.compile("evidence", memory=1 << 24, **limit), mpf.TimeLimit)
        self.assertEqual(len(m.variables), 256)

    def test_a_run_of_one_case(self):
        compiled = grid(14).compile("evidence", memory=1 << 28)
        self.ends(lambda **limit: compiled.ask(**limit), mpf.TimeLimit)
        small = grid(3)
        self.assertAlmostEqual(small.log_evidence(timeout=60), small.log_evidence())

    def test_einsum(self):
        letters = {(i, j): chr(0x4E00 + 16 * i + j) for i in range(16) for j in range(16)}
        pairs = [letters[i, j] + letters[i + d, j + r] for (i, j) in letters for d, r in ((1, 0), (0, 1))
                 if (i + d, j + r) in letters]
        matrices = [np.random.default_rng(27).random((4, 4))] * len(pairs)
        self.ends(lambda **limit: mpf.einsum(",".join(pairs) + "->", *matrices, memory=1 << 24, **limit), mpf.TimeLimit)

    def test_rows(self):
        m = grid(6)
        cases = {"x0_0": np.broadcast_to(np.int8(0), 200_000_000)}  # in one byte
        self.ends(lambda **limit: m.log_evidence(cases=cases, **limit), mpf.TimeLimit)
        np.testing.assert_allclose(m.log_evidence(cases={"x0_0": [0]}, timeout=60), m.log_evidence({"x0_0": 0}))


if __name__ == "__main__":
    unittest.main()
