"""Builds the Python package in an environment of its own, from the libraries of a build, and runs its tests there.

The environment sees Debian's NumPy. The two packages that build extensions come from PyPI: without it the exit code is
77, and the test counts as skipped.

Where the build has sanitizers, the extension is compiled with them too, and the tests end at the first fault.

usage: build_package.py PACKAGE BUILD SCRATCH
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


def makeEnvironment(folder, peers):
    """Returns the Python of an environment with the packages that build extensions, and with `peers`."""
    try:
        venv.create(folder, with_pip=True, system_site_packages=True)
    except (subprocess.CalledProcessError, OSError) as error:
        skip(f"no environment can be made (Debian: python3-venv): {error}")
    python = os.path.join(folder, "bin", "python")
    packages = BUILDERS + peers
    pip = run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries=1",
              "--timeout=20", *packages)
    if pip.returncode != 0:
        skip(f"PyPI does not give {', '.join(packages)}:\n{pip.stderr[-600:]}")
    header = run(python, "-c", "import sysconfig, os; "
                               "print(os.path.exists(sysconfig.get_path('include') + '/Python.h'))")
    if header.stdout.strip() != "True":
        skip("there is no Python.h (Debian: python3-dev)")
    return python


def settings_of(build):
    """Name -> value of the settings of a build."""
    with open(os.path.join(build, "CMakeCache.txt")) as file:
        found = (line.rstrip("\n").partition("=") for line in file if not line.startswith(("#", "//")))
        return {name.partition(":")[0]: value for name, _, value in found}


def sanitizers(settings):
    """Returns the settings of a build that is instrumented as `settings` say, and the environment of its tests."""
    compiler = settings["CMAKE_CXX_COMPILER"]
    flags = f"-g1 -fno-omit-frame-pointer -fno-sanitize-recover=all -fsanitize={settings['MPF_SANITIZE']}"
    if settings["MPF_SANITIZE_WITHOUT"]:
        flags += f" -fno-sanitize={settings['MPF_SANITIZE_WITHOUT']}"
    shared = "libasan.so"
    if "clang" in os.path.basename(compiler):
        flags += " -shared-libasan"
        shared = "libclang_rt.asan-x86_64.so"
    # Python itself is not instrumented: the libraries come before it.
    loaded = [run(compiler, f"-print-file-name={name}").stdout.strip() for name in (shared, "libstdc++.so.6")]
    return ({"CMAKE_CXX_COMPILER": compiler, "CMAKE_CXX_FLAGS": flags, "MPF_STATIC_LIBSTDCXX": "OFF"},
            {"LD_PRELOAD": ":".join(loaded), "LD_LIBRARY_PATH": os.path.dirname(loaded[0]), "PYTHONMALLOC": "malloc",
             # Python frees little at its end. Its modules share their names of types.
             "ASAN_OPTIONS": "detect_leaks=0:detect_odr_violation=0:verify_asan_link_order=0"})


def main(package, build, scratch):
    os.makedirs(scratch, exist_ok=True)
    build_settings = settings_of(build)
    settings, environment = sanitizers(build_settings) if build_settings.get("MPF_SANITIZE") else ({}, {})
    # The sanitizers would judge the extensions of the peers too.
    peers = PEERS if os.environ.get("MPF_EVERY_PACKAGE") and not settings else []
    python = makeEnvironment(os.path.join(scratch, "environment"), peers)
    options = [option for name, value in settings.items()
               for option in ("--config-settings", f"cmake.define.{name}={value}")]
    if settings:
        options += ["--config-settings", "install.strip=false"]
    # The system's CMake will do: only the stable ABI of 3.12 needs a newer one.
    install = run(python, "-m", "pip", "install", "--disable-pip-version-check", "--no-build-isolation", "--no-deps",
                  "--force-reinstall", "-v", package, "--config-settings", f"build-dir={os.path.join(scratch, 'build')}",
                  "--config-settings", "cmake.version=>=3.25", *options,
                  env={**os.environ, "MPF_PREBUILT": build,
                       **{name: value for name, value in environment.items() if name != "LD_PRELOAD"}})
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


main(*map(os.path.abspath, sys.argv[1:4]))
