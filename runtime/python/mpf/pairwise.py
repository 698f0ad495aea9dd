"""The functions that opt_einsum calls with `backend="mpf"`, and cotengra with `implementation=`.

They contract two operands at a time, in the order of the caller's path. `mpf.einsum` plans all operands together.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from mpf.einsum import einsum
from mpf.errors import BadInput


def tensordot(x: Any, y: Any, axes: Any = 2) -> np.ndarray[Any, Any]:
    """numpy.tensordot: sums the products over pairs of axes."""
    x, y = np.asarray(x), np.asarray(y)
    if np.ndim(axes) == 0:
        pairs = list(zip(range(x.ndim - axes, x.ndim), range(axes)))
    else:
        left, right = ([axes_] if np.ndim(axes_) == 0 else list(axes_) for axes_ in axes)
        if len(left) != len(right):
            raise BadInput(f"axes: {len(left)} of the first operand, {len(right)} of the second")
        pairs = [(i % x.ndim, j % y.ndim) for i, j in zip(left, right)]
    for i, j in pairs:
        if x.shape[i] != y.shape[j]:
            raise BadInput(f"axis {i} has length {x.shape[i]}, axis {j} of the second operand {y.shape[j]}")
    first = list(range(x.ndim))
    second = list(range(x.ndim, x.ndim + y.ndim))
    for i, j in pairs:
        second[j] = first[i]
    summed = {i for i, _ in pairs}
    output = [i for i in first if i not in summed] + [j for j in second if j >= x.ndim]
    return einsum(x, first, y, second, output)


def transpose(x: Any, axes: Any = None) -> np.ndarray[Any, Any]:
    """numpy.transpose: a view with the axes in another order."""
    return np.transpose(x, axes)
