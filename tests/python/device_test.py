"""Arrays that follow DLPack: those of the host here, those of a GPU in a process with a fake driver."""
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np
from networks import network

import mpf


class Lent:
    """An array of the host that follows DLPack and nothing else, as one of torch does."""

    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)


class Host(unittest.TestCase):
    def test_arrays_of_the_host(self):
        codes = np.array([[0, 1], [1, -1], [-1, 0]])
        expected = network().log_evidence(cases=codes)
        np.testing.assert_array_equal(network().log_evidence(cases=Lent(codes)), expected)
        columns = {"wet": Lent(codes[:, 1]), "rain": Lent(codes[:, 0].astype(np.float32))}
        np.testing.assert_array_equal(network().log_evidence(cases=columns), expected)

    def test_arrays_that_cannot_be_read(self):
        class Deleted(Lent):
            def __dlpack__(self, **options):
                raise BufferError("it has been deleted")
        with self.assertRaisesRegex(mpf.BadInput, "it has been deleted"):
            network().log_evidence(cases=Deleted(np.zeros((3, 2))))
        with self.assertRaisesRegex(mpf.BadInput, "shape"):
            network().log_evidence(cases=Lent(np.zeros((3, 3))))

    @unittest.skipUnless(os.path.exists(os.environ.get("MPF_FAKE_COMPILER", "")), "no fake driver of a GPU")
    def test_arrays_on_a_gpu(self):
        with tempfile.TemporaryDirectory() as folder:
            checks = subprocess.run(
                [sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "device_checks.py")],
                capture_output=True, text=True,
                env={**os.environ, "MPF_LIBCUDA": os.environ["MPF_FAKE_DRIVER"], "MPF_FAKE_CUDA_ECHO": "1",
                     "MPF_NVRTC": os.environ["MPF_FAKE_COMPILER"], "MPF_CACHE_DIR": os.path.join(folder, "cache"),
                     "MPF_FAKE_CUDA_LOG": os.path.join(folder, "log")})
        self.assertEqual((checks.returncode, checks.stdout), (0, ""), checks.stderr)
        self.assertNotIn("leaked", checks.stderr)
