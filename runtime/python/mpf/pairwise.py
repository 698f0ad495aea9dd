"""The functions that opt_einsum calls with `backend="mpf"`, and cotengra with `implementation=`.

They contract two operands at a time, in the order of the caller's path. `mpf.einsum` plans all operands together.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from mpf.einsum import einsum
from mpf.errors import BadInput


def tensordot(x: Any, y: Any, axes: Any = 2) -> np.ndarray[Any, Any]:
    """numpy.tensordot: sums the products over pairs of axes.

    >>> tensordot(np.array([1.0, 2.0]), np.array([3.0, 4.0]), 1)
    array(11.)
    """
    x, y = np.asarray(x), np.asarray(y)
    if np.ndim(axes) == 0:
        if not 0 <= axes <= min(x.ndim, y.ndim):
            raise BadInput(f"axes={axes}: the operands have {x.ndim} and {y.ndim} axes")
        left, right = list(range(x.ndim - axes, x.ndim)), list(range(axes))
    else:
        left, right = ([pair] if np.ndim(pair) == 0 else list(pair) for pair in axes)
        left, right = _axes_of(x, left), _axes_of(y, right)
        if len(left) != len(right):
            raise BadInput(f"axes: {len(left)} of the first operand, {len(right)} of the second")
    pairs = list(zip(left, right))
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


def _axes_of(array, axes):
    """Axes from 0; negative ones count from the end. Raises BadInput for others, and for repeated ones."""
    found = []
    for axis in axes:
        if not -array.ndim <= axis < array.ndim:
            raise BadInput(f"there is no axis {axis} in an operand of {array.ndim} axes")
        if axis % array.ndim in found:
            raise BadInput(f"axis {axis} is named twice")
        found.append(axis % array.ndim)
    return found


def transpose(x: Any, axes: Any = None) -> np.ndarray[Any, Any]:
    """numpy.transpose: a view with the axes in another order.

    >>> transpose(np.ones((2, 3))).shape
    (3, 2)
    """
    return np.transpose(x, axes)
