"""Faults that were found and are not mended, by what came and the functions they come from.

They are counted as known, not as faults; where one is mended its row goes."""
import re

KNOWN = [
    # NVIDIA's compiler runs in the process, and ends it where it finds no memory.
    ("crash", "nvrtc"),
    # Clang uses what malloc gave it without a look, in mpf-check-kernel. mpfc says which signal.
    ("crash", "clang13ScratchBuffer"),
]


def isKnown(kind, place):
    return any(kind == known and re.search(where, place) for known, where in KNOWN)
