"""Compiled queries as objects of their own, and in files."""
from __future__ import annotations

import os
from typing import Any

from mpf import _mpf
from mpf.compiled import Compiled
from mpf.network import Network


def compile(network: Network, query: str, **options: Any) -> Compiled:
    """Compiles a query of a network: `Network.compile`.

    >>> mpf.compile(m, "P(rain)").ask({"rain": "yes"})
    Table(rain; no: 0, yes: 1)
    """
    if not isinstance(network, Network):
        raise TypeError(f"a query of a {type(network).__name__} is compiled: give a Network, which mpf.read makes of a file")
    return network.compile(query, **options)


def load(path: str | os.PathLike[str], *, device: str = "auto", threads: int = 0, states: str = "") -> Compiled:
    """Loads what `Compiled.save` or `mpfc build` wrote. Nothing is planned; kernels in the file are not trusted.

    >>> q = mpf.load("rain.mpfb")  # doctest: +SKIP
    """
    return Compiled(_mpf.load(os.fsdecode(path)), {"device": device, "threads": threads, "states": states})
