"""Known faults that are not fixed yet, by kind and by the functions that cause them.

They are counted as known, not as faults. A fix removes the row."""
import re

KNOWN = [
    # NVIDIA's compiler runs in the process, and ends it if it finds no memory.
    ("crash", "nvrtc"),
    # Clang, in mpf-check-kernel, does not check the result of malloc. mpfc reports the signal.
    ("crash", "clang13ScratchBuffer"),
]


def isKnown(kind, place):
    return any(kind == known and re.search(where, place) for known, where in KNOWN)
