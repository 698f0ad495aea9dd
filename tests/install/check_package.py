"""Makes the package of Debian from a build, looks into it, and compares its list of libraries with what it links.

usage: check_package.py CPACK BUILD_DIR SCRATCH_DIR
"""
import os
import re
import shutil
import subprocess
import sys

SKIPPED = 77
WANTED = ["usr/bin/mpfc", "usr/share/man/man1/mpfc.1", "usr/share/bash-completion/completions/mpfc",
          "usr/share/zsh/site-functions/_mpfc", "usr/share/fish/vendor_completions.d/mpfc.fish", "usr/lib/libmpf.so.0",
          "usr/lib/libmpf_c.so.0", "usr/include/mpf_c.h", "usr/include/mpf/mpf.h", "usr/lib/pkgconfig/mpf_c.pc",
          "usr/share/doc/mpf/copyright", "usr/share/doc/mpf/mpf.spdx"]


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def linkedBy(folder):
    """The libraries that the files of the package need, without those of the package."""
    needed = set()
    for path, _, names in os.walk(folder):
        for name in names:
            file = os.path.join(path, name)
            with open(file, "rb") as begin:
                if os.path.islink(file) or begin.read(4) != b"\x7fELF":
                    continue
            needed |= set(re.findall(r"NEEDED +(\S+)", run("objdump", "-p", file)))
    return {name for name in needed if not name.startswith("libmpf")}


def main(cpack, build, scratch):
    if not shutil.which("dpkg-shlibdeps"):
        print("no dpkg-shlibdeps (Debian: dpkg-dev): no package is made")
        raise SystemExit(SKIPPED)
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    run(cpack, "--config", os.path.join(build, "CPackConfig.cmake"), "-B", scratch,
        "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=none", cwd=scratch)
    package = next(os.path.join(scratch, name) for name in os.listdir(scratch) if name.endswith(".deb"))
    needs = run("dpkg-deb", "-f", package, "Depends")
    for library in ("libfmt9", "libexpat1", "libzstd1", "libstdc++6"):
        if library not in needs:
            sys.exit(f"the package does not depend on {library}: {needs}")
    tree = os.path.join(scratch, "tree")
    run("dpkg-deb", "-x", package, tree)
    missing = [path for path in WANTED if not os.path.lexists(os.path.join(tree, path))]
    if missing:
        sys.exit(f"the package lacks {', '.join(missing)}")
    with open(os.path.join(tree, "usr/share/doc/mpf/mpf.spdx"), encoding="utf-8") as file:
        listed = file.read()
    unlisted = [name for name in sorted(linkedBy(tree)) if re.match(r".*?\.so", name)[0] not in listed]
    if unlisted:
        sys.exit(f"mpf.spdx does not list {', '.join(unlisted)}")
    if re.search(r"@|: *$", listed, re.MULTILINE):
        sys.exit(f"mpf.spdx was not filled in:\n{listed}")
    print(run(os.path.join(tree, "usr/bin/mpfc"), "--version").strip())


main(*map(os.path.abspath, sys.argv[1:]))
