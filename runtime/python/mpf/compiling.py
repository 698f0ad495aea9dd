"""Compiles queries of a network."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mpf import _mpf
from mpf.compiled import Compiled
from mpf.errors import Usage
from mpf.options import memory_bytes, seconds_of, text_of

if TYPE_CHECKING:
    from mpf.network import Network


def compile_queries(network: Network, queries: Sequence[str], *, likelihoods: Sequence[str] = (),
                    observable: Sequence[str] | None = None, type: str = "", device: str = "auto",
                    memory: int | None = None, threads: int = 0, states: str = "",
                    timeout: float | None = None) -> list[Compiled]:
    """The programs that answer the queries: as few as pay. The options are those of Network.compile."""
    if isinstance(likelihoods, str) or isinstance(observable, str):
        raise TypeError("likelihoods= and observable= are lists of names")
    if not isinstance(threads, int) or not 0 <= threads <= 1024:
        raise Usage(f"threads={threads!r}: a number from 0 to 1024")
    programs, told = _mpf.compile_cases(network._native, queries, list(likelihoods),
                                        None if observable is None else list(observable),
                                        {"type": text_of("type", type), "device": text_of("device", device),
                                         "memory": memory_bytes(memory)},
                                        seconds_of(timeout))
    network._warn(told)
    scopes = {row[0]: tuple(row[1]) for row in network._native.factors() if not row[4]}
    options = {"device": device, "threads": threads, "states": text_of("states", states)}
    compiled = [Compiled(program, options, scopes) for program in programs]
    network._compiled_queries.update(compiled)
    return compiled
