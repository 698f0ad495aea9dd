"""Einstein sums of any number of operands, planned as one product."""
from __future__ import annotations

from typing import Any

import numpy as np

from mpf import _mpf, subscripts
from mpf.errors import BadInput, Overflow, Usage
from mpf.options import memory_bytes, seconds_of, warn_beyond
from mpf.paths import network_of, order_of, path_from, set_order

# Name -> (reduction, how values combine, value of an empty reduction).
SEMIRINGS = {
    "sum-product": ("sum", "*", 0.0),
    "max-product": ("max", "*", 0.0),
    "max-sum": ("max", "+", -np.inf),
    "min-sum": ("min", "+", np.inf),
}
_EXACT = 1 << 53


def einsum(*arguments: Any, semiring: str = "sum-product", dtype: Any = None, out: np.ndarray[Any, Any] | None = None,
           memory: int | None = None, threads: int = 0, timeout: float | None = None,
           optimize: Any = True) -> np.ndarray[Any, Any]:
    """The product of all operands, reduced over the letters that the output lacks.

    >>> import numpy as np
    >>> einsum("ij,jk->ik", np.array([[1., 2.]]), np.array([[3.], [4.]]))
    array([[11.]])

    Args:
        - arguments: an expression and operands, or operands and lists of any hashable letters in turn. `...`, an
            implied output, repeated letters, and axes of length 1 that stretch mean what they mean for NumPy.
        - semiring: "sum-product", "max-product", "max-sum" or "min-sum".
        - dtype: the type of the result; None: that of numpy. Integers are exact, or Overflow. Complex numbers are a
            TypeError.
        - out: an array for the result.
        - memory: the most bytes of tables; None: the free memory.
        - threads: 0: one for each core.
        - timeout: the seconds after which planning, or the run, ends with TimeLimit.
        - optimize: a contraction path, or a callable that plans one for (inputs, output, sizes, None). mpf then
            eliminates letters in the order of the path. Otherwise mpf plans by itself: also for True, False and
            names.

    A result whose greatest entry lies beyond doubles is infinite or 0, and warns (mpf.Warning).

    The plan of an expression is kept for operands of equal shape and type. Letters are eliminated in an order that
    mpf chooses for all operands together.
    """
    if semiring not in SEMIRINGS:
        raise Usage(f"semiring={semiring!r}: one of {', '.join(SEMIRINGS)}")
    if out is not None and not isinstance(out, np.ndarray):
        raise TypeError(f"out is a {type(out).__name__}, not a numpy array")
    inputs, output, operands = subscripts.parse(arguments)
    if any(np.ma.is_masked(operand) for operand in operands):
        raise BadInput("an operand has masked entries")
    arrays = [np.asarray(operand) for operand in operands]
    kind = _kind(arrays)
    result_type = _result_type(arrays, dtype)
    if kind == "f32" and result_type.itemsize > 4:
        kind = "f64"
    key = (tuple(inputs), output, tuple(array.shape for array in arrays), kind, semiring, memory_bytes(memory), threads,
           _planner(optimize))
    plan = PLANS.plan(key)
    values, beyond = plan.run(arrays, seconds_of(timeout))
    PLANS.settle(key, plan)
    if beyond is not None and result_type.kind == "f":
        warn_beyond("the greatest entry of the result", *beyond)
    return _finished(values, plan.shape, result_type, out)


def contract(*arguments: Any, **options: Any) -> np.ndarray[Any, Any]:
    """The same as `einsum`, under the name that opt_einsum has for it.

    >>> contract("i,i->", np.array([1, 2]), np.array([3, 4]))
    array(11)
    """
    return einsum(*arguments, **options)


def _planner(optimize):
    """`optimize=` as a part of a key: None, a callable, or a path."""
    if optimize is None or isinstance(optimize, (bool, str)):
        return None
    if callable(optimize):
        return optimize
    try:
        return tuple(step if isinstance(step, str) else tuple(step) for step in optimize)
    except TypeError:
        raise Usage(f"optimize={optimize!r}: a path is a list of tuples of positions") from None


def _kind(arrays):
    """The numbers in which operands are multiplied and added: f32, f64, u64, or i64 (doubles that hold integers)."""
    for array in arrays:
        if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8:
            raise TypeError(f"an operand has numpy type {array.dtype}: bools, integers and floats of up to 64 bits are "
                            "contracted")
    kinds = {array.dtype.kind for array in arrays}
    if "f" in kinds:
        return "f32" if np.result_type(*arrays).itemsize <= 4 else "f64"
    if kinds <= {"b"}:
        return "f64"
    for array in arrays:
        if array.dtype.itemsize > 4 and array.size and (array.max() >= _EXACT or array.min() <= -_EXACT):
            raise Overflow("an integer operand has entries of 2^53 or more, which doubles do not hold exactly")
    negative = any(array.dtype.kind == "i" and array.size and array.min() < 0 for array in arrays)
    return "i64" if negative else "u64"


def _result_type(arrays, dtype):
    """numpy's type of the result, or `dtype` where that loses nothing but digits."""
    own = np.result_type(*arrays)
    if dtype is None:
        return own
    wanted = np.dtype(dtype)
    if wanted.kind == "c":
        raise TypeError("results of complex type are not computed")
    if wanted.kind not in "biuf" or wanted.itemsize > 8 or not (np.can_cast(own, wanted, "same_kind")
                                                               or (own.kind in "iu" and wanted.kind in "iu")):
        raise TypeError(f"a result of type {own} is not given as {wanted}")
    return wanted


class Plans:
    """The plans of expressions, the last used last. Their tables take at most `most_bytes` together."""

    def __init__(self, most_plans=512, most_bytes=256 << 20):
        self.most_plans, self.most_bytes = most_plans, most_bytes
        self.clear()

    def clear(self):
        """Forgets all plans and their tables."""
        self.plans, self.sizes = {}, {}

    def plan(self, key):
        """The plan of a key; it is made at the first call."""
        plan = self.plans.pop(key, None)
        if plan is None:
            plan = _Plan(*key)
        self.plans[key] = plan
        return plan

    def settle(self, key, plan):
        """Notes the memory of a plan that was used, and forgets the oldest ones beyond the limits."""
        if self.sizes.get(key) == plan.bytes and len(self.plans) <= self.most_plans:
            return
        self.sizes[key] = plan.bytes
        while self.plans and (len(self.plans) > self.most_plans or sum(self.sizes.values()) > self.most_bytes):
            oldest = next(iter(self.plans))
            self.plans.pop(oldest, None)
            self.sizes.pop(oldest, None)


class _Plan:
    """A contraction of operands of fixed shapes."""

    def __init__(self, inputs, output, shapes, kind, semiring, memory, threads, optimize):
        inputs, output = subscripts.expand(inputs, output, [len(shape) for shape in shapes])
        sizes = _sizes(inputs, shapes)
        self.kind = kind
        self.adds = SEMIRINGS[semiring][1] == "+"
        self.shape = tuple(sizes[letter] for letter in output)
        self.empty = SEMIRINGS[semiring][2] if 0 in sizes.values() else None
        self.made = None
        self.bytes = 0  # of its tables, known after a run
        self.axes = [_Axes(letters, shape, sizes) for letters, shape in zip(inputs, shapes)]
        if self.empty is not None:
            return
        self.factors = [f"f{number}" for number in range(len(inputs))]
        negative = kind != "u64" and semiring != "max-product"  # a product of negative numbers has no best factors
        tables = [axes.letters for axes in self.axes]
        network, query = network_of(tables, output, sizes, SEMIRINGS[semiring][:2], negative)
        if optimize is not None:
            set_order(network, order_of(path_from(optimize, tables, output, sizes), tables, output), sizes)
        self.query = network, query, {"i64": "f64"}.get(kind, kind), memory, threads

    def _native(self, timeout):
        """The run of the plan, which the first call makes: its time limit is not part of the plan."""
        if self.made is None:
            self.made = _mpf.Run(*self.query, timeout)
        return self.made

    def run(self, arrays, timeout):
        """Returns the entries of the result, an array of doubles or a list of ints, and what Run.run says of them."""
        if self.empty is not None:
            return np.full(self.shape, self.empty), None
        values = [axes.taken(array) for axes, array in zip(self.axes, arrays)]
        if self.kind == "i64" and self._bound(values, timeout) >= _EXACT:
            raise Overflow("sums of 2^53 or more may occur: operands with negative integers are added as doubles")
        native = self._native(timeout)
        found = native.run(self.factors, values, timeout)
        self.bytes = native.bytes
        return found

    def _bound(self, values, timeout):
        """A bound of every number that an entry of the result is made of."""
        sizes = [np.abs(operand) for operand in values]
        if self.adds:
            return sum(float(operand.max(initial=0)) for operand in sizes)
        return float(self._native(timeout).run(self.factors, sizes, timeout)[0].max(initial=0))


def _sizes(inputs, shapes):
    """Letter -> size. An axis of length 1 stretches to the others'."""
    sizes = {}
    for number, (letters, shape) in enumerate(zip(inputs, shapes)):
        own = {}
        for letter, size in zip(letters, shape):
            if own.setdefault(letter, size) != size:
                raise BadInput(f"operand {number} has the letter {letter!r} twice, with lengths {own[letter]} and {size}")
            if sizes.setdefault(letter, size) == 1:
                sizes[letter] = size
            elif size not in (1, sizes[letter]):
                shown = letter if isinstance(letter, str) else repr(letter)
                raise BadInput(f"the letter {shown} has sizes {sizes[letter]} and {size}")
    return sizes


class _Axes:
    """The axes that are left of an operand: each letter once, without axes of length 1 that stretch."""

    __slots__ = ("letters", "kept", "plain")

    def __init__(self, letters, shape, sizes):
        stretched = [size == 1 != sizes[letter] for letter, size in zip(letters, shape)]
        self.kept = [letter if not gone else None for letter, gone in zip(letters, stretched)]
        self.letters = list(dict.fromkeys(letter for letter in self.kept if letter is not None))
        self.plain = self.letters == self.kept

    def taken(self, array):
        """The values as float64, row-major over `letters`."""
        if not self.plain:
            strides = dict.fromkeys(self.letters, 0)
            sizes = {}
            for letter, size, stride in zip(self.kept, array.shape, array.strides):
                if letter is not None:
                    strides[letter] += stride  # equal letters walk along the diagonal
                    sizes[letter] = size
            array = np.lib.stride_tricks.as_strided(array, [sizes[letter] for letter in self.letters],
                                                    list(strides.values()), writeable=False)
        return np.ascontiguousarray(array, dtype=np.float64)


def _finished(values, shape, result_type, out):
    """The entries in the result's type, and in `out` if that is given. Raises Overflow where the type is too small."""
    if isinstance(values, list):
        found = np.empty(len(values), dtype=object)
        found[:] = values
    else:
        found = values
    if result_type.kind == "b":
        found = found != 0
    elif result_type.kind in "iu" and found.size:
        least, greatest = found.min(), found.max()
        if not (least >= np.iinfo(result_type).min and greatest <= np.iinfo(result_type).max):
            raise Overflow(f"the result has entries from {least} to {greatest}, which {result_type} does not hold")
        found = found if found.dtype == object else np.rint(found)
    found = found.astype(result_type, copy=False).reshape(shape)
    if out is None:
        return found
    if out.shape != found.shape:
        raise BadInput(f"out has shape {out.shape}, the result {found.shape}")
    np.copyto(out, found, casting="same_kind")
    return out


PLANS = Plans()


def clear_cache() -> None:
    """Forgets the plans and tables that einsum keeps.

    >>> mpf.clear_cache()
    """
    PLANS.clear()
