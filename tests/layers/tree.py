"""The files of the source tree, for all rules."""
import os
import subprocess


def sourceFiles(root, *endings):
    """Returns the paths, relative to root and sorted, of files that are or would be committed."""
    listing = subprocess.run(
        ["git", "-c", f"safe.directory={os.path.abspath(root)}", "-C", root, "ls-files", "-co",
         "--exclude-standard"], capture_output=True, text=True)
    if listing.returncode == 0:
        paths = listing.stdout.splitlines()
    else:  # an unpacked archive: everything but build folders
        paths = []
        for folder, folders, names in os.walk(root):
            folders[:] = [f for f in folders if not f.startswith((".", "build"))]
            paths += [os.path.relpath(os.path.join(folder, n), root) for n in names]
    return sorted(p for p in set(paths)
                  if (not endings or p.endswith(endings)) and os.path.isfile(os.path.join(root, p)))


def readText(root, path):
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
        return file.read()


def proseLines(text):
    """Yields (number, line) of Markdown text outside its fenced and indented code."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced and not line.startswith("    "):
            yield number, line


def finish(rule, problems, checked):
    """Prints the problems and exits: code 1 if there are any, or if nothing was checked."""
    for problem in problems:
        print(problem)
    if checked == 0:
        print(f"{rule}: no file found to check")
    else:
        print(f"{rule}: {checked} files, {len(problems)} problems")
    raise SystemExit(1 if problems or checked == 0 else 0)
