"""Builds the Python package in an environment of its own, from the libraries of a build, and runs its tests there.

The environment sees Debian's NumPy. The two packages that build extensions come from PyPI: without it the exit code is
77, and the test counts as skipped.

With --sanitize the extension itself, not the libraries, is compiled with the address and undefined-behaviour
sanitizers of GCC, which end the tests at the first fault.

usage: build_package.py PACKAGE BUILD SCRATCH [--sanitize]
"""
import os
import subprocess
import sys
import venv

SKIPPED = 77
BUILDERS = ["nanobind>=2.9", "scikit-build-core>=1.0", "numpy>=1.24"]
# More tests run where these are: tools/test --all sets MPF_EVERY_PACKAGE.
PEERS = ["mypy", "nbclient", "ipykernel", "matplotlib", "pandas", "polars", "pyarrow", "opt_einsum", "pgmpy", "pyagrum"]


def skip(why):
    print(f"skipped: {why}")
    raise SystemExit(SKIPPED)


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


def makeEnvironment(folder):
    """Returns the Python of an environment with the packages that build extensions."""
    try:
        venv.create(folder, with_pip=True, system_site_packages=True)
    except (subprocess.CalledProcessError, OSError) as error:
        skip(f"no environment can be made (Debian: python3-venv): {error}")
    python = os.path.join(folder, "bin", "python")
    packages = BUILDERS + (PEERS if os.environ.get("MPF_EVERY_PACKAGE") else [])
    pip = run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries=1",
              "--timeout=20", *packages)
    if pip.returncode != 0:
        skip(f"PyPI does not give {', '.join(packages)}:\n{pip.stderr[-600:]}")
    header = run(python, "-c", "import sysconfig, os; "
                               "print(os.path.exists(sysconfig.get_path('include') + '/Python.h'))")
    if header.stdout.strip() != "True":
        skip("there is no Python.h (Debian: python3-dev)")
    return python


def sanitizers():
    """Returns the options of the build, and the environment of the tests."""
    loaded = [run("gcc", f"-print-file-name={name}").stdout.strip() for name in ("libasan.so", "libstdc++.so")]
    return (["--config-settings", "cmake.define.CMAKE_CXX_FLAGS=-fsanitize=address,undefined -fno-sanitize-recover=undefined",
             "--config-settings", "cmake.define.MPF_STATIC_LIBSTDCXX=OFF", "--config-settings", "install.strip=false"],
            {"LD_PRELOAD": ":".join(loaded), "PYTHONMALLOC": "malloc",
             "ASAN_OPTIONS": "detect_leaks=0:detect_container_overflow=0:verify_asan_link_order=0"})


def main(package, build, scratch, sanitize=False):
    os.makedirs(scratch, exist_ok=True)
    python = makeEnvironment(os.path.join(scratch, "environment"))
    options, environment = sanitizers() if sanitize else ([], {})
    # The system's CMake will do: only the stable ABI of 3.12 needs a newer one.
    install = run(python, "-m", "pip", "install", "--disable-pip-version-check", "--no-build-isolation", "--no-deps",
                  "--force-reinstall", "-v", package, "--config-settings", f"build-dir={os.path.join(scratch, 'build')}",
                  "--config-settings", "cmake.version=>=3.25", *options,
                  env={**os.environ, "MPF_PREBUILT": build, "ASAN_OPTIONS": environment.get("ASAN_OPTIONS", "")})
    if install.returncode != 0:
        print(install.stdout[-6000:], install.stderr[-3000:])
        raise SystemExit("the package was not built")
    support = os.path.join(build, "tests", "support")
    fakes = {"MPF_FAKE_DRIVER": os.path.join(support, "libmpf_fake_cuda.so"),
             "MPF_FAKE_COMPILER": os.path.join(support, "libmpf_fake_nvrtc.so")}
    tests = subprocess.run([python, "-X", "faulthandler", "-m", "unittest", "discover", "-b",
                            "-s", os.path.dirname(os.path.abspath(__file__)), "-p", "*_test.py"], cwd=scratch,
                           env={**os.environ, **fakes, **environment})
    raise SystemExit(tests.returncode)


main(*map(os.path.abspath, sys.argv[1:4]), sanitize=sys.argv[4:] == ["--sanitize"])
