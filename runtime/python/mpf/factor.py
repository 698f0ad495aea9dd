"""Factors of a network, as they are listed."""
from __future__ import annotations

from typing import Any

import numpy as np


class Factor:
    """A factor of a network.

    Attributes:
        - name: its name; "P(wet)" for the conditional table of `wet`.
        - scope: the names of its variables, one for each axis; the child of a conditional table is last.
        - conditional: whether rows over the last axis sum to 1.
        - values: a copy of its values, an array with one axis for each variable; None for an input without a default.

    >>> m.factors["P(wet)"]
    Factor('P(wet)', ['rain', 'wet'])
    >>> m.factors["P(wet)"].values.shape
    (2, 2)
    """

    name: str
    scope: tuple[str, ...]
    conditional: bool
    input: bool
    values: np.ndarray[Any, Any] | None

    __slots__ = ("name", "scope", "conditional", "input", "values")

    def __init__(self, name: str, scope: tuple[str, ...], conditional: bool, is_input: bool,
                 values: np.ndarray[Any, Any] | None) -> None:
        self.name, self.scope, self.conditional, self.input, self.values = name, scope, conditional, is_input, values

    def __repr__(self) -> str:
        return f"Factor({self.name!r}, {list(self.scope)!r})"
