# The lit suite: every .mpf, .uai, .mpfplan ... and .test file under tests/<stage>/ with RUN lines.
#
# Substitutions: %mpfc (the driver), %python, %examples, %chromium, %fake_cuda (a library that stands
#                in for the GPU's driver; it is built with tests/inject).
# Features:      cuda-compiler (NVRTC can be opened), gpu (the CUDA driver finds a device), chromium
#                (a browser to load pages in), cpp-compiler (the CPU's kernels can be compiled),
#                kernel-checker (built with the libraries of Clang 19), bash, zsh, fish, mandoc.
import ctypes
import os
import shutil
import sys

import lit.formats

config.name = "mpf"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mpf", ".uai", ".evid", ".plan", ".kernel", ".schedule", ".test"]
config.excludes = ["Inputs", "unit", "layers", "fuzz", "oracle", "broken", "examples", "inject"]
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


def isOn(value):
    return value.upper() in ("ON", "1", "TRUE", "YES")


if isOn(config.mpf_enable_cuda):
    if opens("libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"):
        config.available_features.add("cuda-compiler")
    driver, count = opens("libcuda.so.1"), ctypes.c_int(0)
    if driver and driver.cuInit(0) == 0 and driver.cuDeviceGetCount(ctypes.byref(count)) == 0:
        if count.value:
            config.available_features.add("gpu")

if shutil.which("c++"):
    config.available_features.add("cpp-compiler")

if os.path.exists(os.path.join(config.mpf_binary_dir, "tools/mpfc/mpf-check-kernel")):
    config.available_features.add("kernel-checker")

for program in ("bash", "zsh", "fish", "mandoc"):
    if shutil.which(program):
        config.available_features.add(program)
    else:
        lit_config.note(f"{program} is not installed: the tests that need it are skipped")

if shutil.which("mlink") and shutil.which("unknown"):
    config.available_features.add("fastlink")
if os.path.exists(os.path.join(config.mpf_data_dir, "formats/reference.json")):
    config.available_features.add("data")
    config.substitutions.append(("%data", config.mpf_data_dir))

chromium = shutil.which("chromium") or shutil.which("chromium-browser")
if chromium:
    config.available_features.add("chromium")
    config.substitutions.append(("%chromium", chromium))
config.substitutions.append(("%mpfc", os.path.join(config.mpf_binary_dir, "tools/mpfc/mpfc")))
config.substitutions.append(("%python", sys.executable))
# %trials(N, M): N random cases, M with tools/test --all.
config.substitutions.append((r"%trials\((\d+), (\d+)\)", r"\2" if "MPF_EVERY_TRIAL" in os.environ else r"\1"))
config.substitutions.append(
    ("%fake_cuda", os.path.join(config.mpf_binary_dir, "tests/support/libmpf_fake_cuda.so")))
config.substitutions.append(("%examples", os.path.join(config.mpf_source_dir, "examples")))
config.environment["PATH"] = os.pathsep.join(
    [config.mpf_llvm_tools_dir, config.environment.get("PATH", os.environ["PATH"])])
# A test never sees the user's kernel cache, nor leaves anything in it.
config.environment["XDG_CACHE_HOME"] = os.path.join(config.test_exec_root, "cache")
# No test depends on the speed of the machine that runs it, unless the test measures that speed.
config.environment["MPF_LOOK"] = "off"
for name in ("LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
