"""Names that do not exist, with the nearest one that does."""
from __future__ import annotations

from collections.abc import Iterable

from mpf.errors import Usage


def unknown(what: str, name: object, names: Iterable[str], advice: str = "") -> Usage:
    """Returns the Usage error for a name that is none of `names`. Where none is near, it ends with `advice`.

    >>> print(unknown("variable", "rian", ["rain", "wet"]))
    there is no variable 'rian'; did you mean 'rain'?
    >>> print(unknown("variable", "id", ["rain", "wet"], "ignore= leaves a column out"))
    there is no variable 'id'; ignore= leaves a column out
    """
    import difflib  # slow, and seldom needed
    near = difflib.get_close_matches(str(name), [str(n) for n in names], n=1)
    hint = f"did you mean {near[0]!r}?" if near else advice
    return Usage(f"there is no {what} {name!r}{'; ' if hint else ''}{hint}")
