# The lit suite: every .mpf, .uai, .mpfplan ... and .test file under tests/<stage>/ with RUN lines.
#
# Substitutions: %mpfc (the driver), %examples, %data (instances with reference answers).
# Features:      cuda-compiler (NVRTC can be opened), gpu (a CUDA device answers),
#                tooling (built with the Clang libraries), data (%data exists).
import ctypes
import os
import sys

import lit.formats

config.name = "mpf"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mpf", ".uai", ".evid", ".plan", ".kernel", ".schedule", ".test"]
config.excludes = ["Inputs", "unit", "layers", "fuzz", "oracle", "broken", "examples"]
config.test_source_root = os.path.join(config.mpf_source_dir, "tests")
config.test_exec_root = os.path.join(config.mpf_binary_dir, "tests")


def opens(*names):
    """The first of the shared libraries that can be opened, as the runtime would."""
    for name in names:
        try:
            return ctypes.CDLL(name)
        except OSError:
            pass
    return None


def deviceCount():
    driver = opens("libcuda.so.1")
    if driver is None or driver.cuInit(0) != 0:
        return 0
    count = ctypes.c_int(0)
    return count.value if driver.cuDeviceGetCount(ctypes.byref(count)) == 0 else 0


def isOn(value):
    return value.upper() in ("ON", "1", "TRUE", "YES")


if isOn(config.mpf_enable_cuda):
    if opens("libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"):
        config.available_features.add("cuda-compiler")
    if deviceCount() > 0:
        config.available_features.add("gpu")
if isOn(config.mpf_enable_tooling):
    config.available_features.add("tooling")
if config.mpf_data_dir and os.path.exists(os.path.join(config.mpf_data_dir, "reference.json")):
    config.available_features.add("data")
    config.substitutions.append(("%data", config.mpf_data_dir))

config.substitutions.append(("%mpfc", os.path.join(config.mpf_binary_dir, "tools/mpfc/mpfc")))
config.substitutions.append(("%python", sys.executable))
config.substitutions.append(("%examples", os.path.join(config.mpf_source_dir, "examples")))
config.environment["PATH"] = os.pathsep.join(
    [config.mpf_llvm_tools_dir, config.environment.get("PATH", os.environ["PATH"])])
# A test never sees the user's kernel cache, nor leaves anything in it.
config.environment["XDG_CACHE_HOME"] = os.path.join(config.test_exec_root, "cache")
for name in ("LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
