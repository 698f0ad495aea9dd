#!/usr/bin/env python3
"""Compares the progress that a terminal sees with the truth.

usage: progress_truth.py MPFC ARGUMENTS...

Runs `mpfc ARGUMENTS` with stderr on a terminal. The true share at a time is its share of the time from the
note about the predicted time to the end of the run.
"""
import os
import pty
import re
import subprocess
import sys
import time

from programs import end as endWith, requireProgram


def linesOf(command):
    """The texts of stderr with their times, and the seconds of the process."""
    ours, theirs = pty.openpty()
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    texts = []
    while True:
        try:
            texts.append((os.read(ours, 4096).decode(errors="replace"), time.monotonic() - begin))
        except OSError:  # the other end is closed
            break
    if process.wait() != 0:
        endWith("".join(text for text, _ in texts))
    return texts, time.monotonic() - begin


def main():
    mpfc = requireProgram(sys.argv[1], "MPFC is a build of mpfc")
    texts, end = linesOf([mpfc, *sys.argv[2:]])
    begin = next((seconds for text, seconds in texts if ": predicted " in text), None)
    if begin is None:
        endWith("mpfc says no predicted time: the run is too short")
    shares = [(int(found[1]), 100 * (seconds - begin) / (end - begin))
              for text, seconds in texts for found in re.finditer(r"(\d+) % (?:of|is done)", text)]
    print(f"predicted after {begin:.1f} s, end after {end:.1f} s, {len(shares)} lines")
    print("shown and true:", ", ".join(f"{shown} {true:.0f}" for shown, true in shares[::max(1, len(shares) // 10)]))
    print(f"worst difference: {max(abs(shown - true) for shown, true in shares):.0f} points of 100")


if __name__ == "__main__":
    main()
