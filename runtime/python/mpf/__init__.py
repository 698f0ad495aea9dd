"""Exact answers from Bayesian networks, factor graphs and other products of functions.

    import mpf
    m = mpf.read("alarm.bif")
    m.posterior("HYPOVOLEMIA", given={"BP": "LOW"})
    m.log_evidence(cases=frame)
"""
import atexit

from mpf import _mpf
from mpf.compiled import Compiled
from mpf.einsum import clear_cache, contract, einsum
from mpf.errors import (BadInput, Device, Error, Internal, MemoryBound, Overflow, TimeLimit, Unsupported, Usage,
                        Verification, Warning)
from mpf.factor import Factor
from mpf.network import Network
from mpf.pairwise import tensordot, transpose
from mpf.paths import PathOptimizer
from mpf.peers import from_pgmpy, from_pyagrum, to_pgmpy, to_pyagrum
from mpf.reading import parse, read
from mpf.row_tables import BestRows, RowTable
from mpf.store import compile, load
from mpf.table import Best, Marginals, Table
from mpf.variable import Variable

__all__ = ["BadInput", "Best", "BestRows", "Compiled", "Device", "Error", "Factor", "Internal", "Marginals",
           "MemoryBound", "Network", "Overflow", "PathOptimizer", "RowTable", "Table", "TimeLimit", "Unsupported",
           "Usage", "Variable", "Verification", "Warning", "clear_cache", "compile", "contract", "einsum", "from_pgmpy",
           "from_pyagrum", "load", "parse", "read", "tensordot", "to_pgmpy", "to_pyagrum", "transpose"]

atexit.register(_mpf.end_process)
