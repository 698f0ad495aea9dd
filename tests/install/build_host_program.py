"""Installs the build, builds the example host programs against it, compares what they print.

usage: build_host_program.py CMAKE BUILD_DIR EXAMPLE_DIR SCRATCH_DIR
"""
import os
import shutil
import subprocess
import sys


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def compare(found, path):
    with open(path, encoding="utf-8") as file:
        wanted = file.read()
    if found != wanted:
        sys.exit(f"printed:\n{found}expected:\n{wanted}")


def checkDeviceProgram(program, example):
    """It is there where the CUDA runtime is; what it prints, where there is a GPU too."""
    if not os.path.exists(program):
        print("no CUDA runtime: device_program was not built")
        return
    done = subprocess.run([program], capture_output=True, text=True)
    if done.returncode == 5 and done.stdout == "there is no GPU\n":
        print("device_program was built; there is no GPU to run it on")
        return
    with open(os.path.join(example, "device_output.txt"), encoding="utf-8") as file:
        wanted = file.read()
    if done.returncode != 0 or done.stdout != wanted:
        sys.exit(f"device_program ended with {done.returncode} and printed:\n{done.stdout}{done.stderr}"
                 f"expected:\n{wanted}")


def checkC(prefix, example, network, scratch):
    """Builds the program of README.md, and R's glue where R is, by what pkg-config says."""
    if not shutil.which("pkg-config"):
        print("no pkg-config: programs in C were not built")
        return
    libraries = os.path.dirname(find(prefix, "libmpf_c.so"))
    os.environ["PKG_CONFIG_PATH"] = os.path.join(libraries, "pkgconfig")
    os.environ["LD_LIBRARY_PATH"] = f"{libraries}:{os.environ.get('LD_LIBRARY_PATH', '')}"
    program = os.path.join(scratch, "burglary_of_c")
    flags = run("pkg-config", "--cflags", "--libs", "mpf_c").split()
    run("cc", "-std=c99", os.path.join(example, "burglary.c"), *flags, "-o", program)
    compare(run(program, network), os.path.join(example, "burglary_output.txt"))
    if shutil.which("Rscript"):
        compare(run("Rscript", "--vanilla", os.path.join(example, "posterior.R"), network),
                os.path.join(example, "posterior_output.txt"))


def find(folder, name):
    for path, _, names in os.walk(folder):
        if name in names:
            return os.path.join(path, name)
    sys.exit(f"{name} was not installed")


def main(cmake, build, example, scratch):
    shutil.rmtree(scratch, ignore_errors=True)
    prefix, host = os.path.join(scratch, "prefix"), os.path.join(scratch, "host")
    run(cmake, "--install", build, "--prefix", prefix)
    run(cmake, "-S", example, "-B", host, f"-DCMAKE_PREFIX_PATH={prefix}",
        "-DCMAKE_BUILD_TYPE=Release")
    run(cmake, "--build", host)
    compare(run(os.path.join(host, "host_program")), os.path.join(example, "output.txt"))
    network = os.path.join(example, "..", "06_interchange", "burglary.bif")
    compare(run(os.path.join(host, "burglary"), network), os.path.join(example, "burglary_output.txt"))
    for program in ["network", "watch"]:
        compare(run(os.path.join(host, program)), os.path.join(example, f"{program}_output.txt"))
    checkDeviceProgram(os.path.join(host, "device_program"), example)
    checkC(prefix, os.path.join(example, "..", "10_from_c"), network, scratch)
    mpfc = os.path.join(prefix, "bin", "mpfc")
    for path, words in [("man/man1/mpfc.1", ["help", "man"]),
                        ("bash-completion/completions/mpfc", ["completion", "bash"]),
                        ("zsh/site-functions/_mpfc", ["completion", "zsh"]),
                        ("fish/vendor_completions.d/mpfc.fish", ["completion", "fish"])]:
        with open(os.path.join(prefix, "share", path), encoding="utf-8") as file:
            if file.read() != run(mpfc, *words):
                sys.exit(f"{path} is not what mpfc {' '.join(words)} prints")
    print(run(mpfc, "--version").strip())


main(*sys.argv[1:])
