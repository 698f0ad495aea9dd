"""Programs that the scripts here start: what is wrong with one is told in a line, not by a traceback."""
import os
import shutil
import subprocess
import sys


def end(message):
    sys.exit(f"{os.path.basename(sys.argv[0])}: {message}")


def requireProgram(program, otherwise):
    """The path of a program, given by its name on the PATH or by a path. Ends the script where there is
    none; `otherwise` says what to do then."""
    found = shutil.which(program)
    if found is None:
        isPath = os.path.dirname(program) != ""
        end(f"{program} is no program that can be started: {otherwise}" if isPath
            else f"there is no {program} on the PATH: {otherwise}")
    return found


def requireMpfc(program):
    return requireProgram(program, "--mpfc names it, as build/tools/mpfc/mpfc")


def outputOf(command):
    """What the command prints. Ends the script, with what it said, where it fails."""
    run = subprocess.run(command, check=False, capture_output=True, text=True)
    if run.returncode != 0:
        end(f"{' '.join(command)} ended with {run.returncode}\n{run.stderr.rstrip()}")
    return run.stdout
