"""Networks from files and texts."""
from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from mpf import _mpf
from mpf.network import Network
from mpf.options import reading_options, text_of


def read(path: str | os.PathLike[str], params: Mapping[str, Any] | None = None, **options: Any) -> Network:
    """Reads a network from a file; its ending names the format (.mpf, .bif, .uai, also packed).

    Args:
        - params: name -> number or array, in place of the values of the file; a list of numbers is a sweep: answers have a row
            for each of its values.
        - options: `normalise=True` divides rows that do not sum to 1; `evidence=PATH` is a UAI evidence file, and
            `states=` says how its numbers are read.
        - options of some formats, as `mpfc` has them: `loci=`, `frequencies=`, `trait=`, `map_function=` and
            `position=` for families, `channel=` for codes, `tensors=` for einsums, `uai_tables=` for .uai files.

    >>> m = mpf.read("families.ped", loci="families.dat", params={"theta1": 0.05})  # doctest: +SKIP
    >>> code = mpf.read("code.alist", channel="awgn:0.8", params={"y0": 0.7})  # doctest: +SKIP
    """
    return Network._of(_mpf.Network.read(os.fsdecode(path), reading_options(params, options)))


def parse(text: str, format: str = ".mpf", params: Mapping[str, Any] | None = None, **options: Any) -> Network:
    """Reads a network from a text in the format of an ending. The options are those of `read`.

    >>> mpf.parse("var x : 2\\nfactor f(x) = [1, 3]").posterior("x")
    Table(x; 0: 0.25, 1: 0.75)
    """
    if not isinstance(text, str):
        raise TypeError(f"a network is parsed from text, not from {type(text).__name__}")
    format = "." + text_of("format", format).removeprefix(".")
    return Network._of(_mpf.Network.parse(text, {"format": format, **reading_options(params, options)}))
