"""Starts programs for the scripts here. Errors are reported in a line, without a traceback."""
import os
import shutil
import subprocess
import sys
import time


def end(message):
    sys.exit(f"{os.path.basename(sys.argv[0])}: {message}")


def requireProgram(program, otherwise):
    """Returns the path of a program, given by its name on the PATH or by a path. Ends the script if there is
    none, with the advice `otherwise`."""
    found = shutil.which(program)
    if found is None:
        isPath = os.path.dirname(program) != ""
        end(f"{program} is no program that can be started: {otherwise}" if isPath
            else f"there is no {program} on the PATH: {otherwise}")
    return found


def requireMpfc(program):
    return requireProgram(program, "--mpfc names it, as build/tools/mpfc/mpfc")


def outputOf(command, environment=None):
    """Returns the output of a command. If it fails, ends the script with its error output."""
    run = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
    if run.returncode != 0:
        end(f"{' '.join(command)} ended with {run.returncode}\n{run.stderr.rstrip()}")
    return run.stdout


def measuredRun(command, environment=None, out=subprocess.DEVNULL, errors=None):
    """Runs a command to its end. Returns the exit status, its seconds by the clock, and its usage of resources
    (os.wait4). Errors are shown, unless `errors` names another place."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=out, stderr=errors, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, seconds, usage
