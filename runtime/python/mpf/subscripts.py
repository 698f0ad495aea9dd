"""The subscripts of einsum: what NumPy's and opt_einsum's texts and lists mean."""
import itertools

from mpf.errors import BadInput


def parse(arguments):
    """Returns (inputs, output, operands): a tuple of letters for each operand, and for the result.

    `arguments`: (text, operand, ...), or (operand, list, operand, list, ..., output list). Letters are any hashable
    objects. An ellipsis becomes letters of its own, aligned at the right.
    """
    if not arguments:
        raise BadInput("einsum needs an expression and operands")
    if isinstance(arguments[0], str):
        inputs, output = _split(arguments[0])
        operands = list(arguments[1:])
    else:
        operands, lists = list(arguments[0::2]), [tuple(axes) for axes in arguments[1::2]]
        output = None
        if len(operands) > len(lists):
            output = tuple(operands.pop())
        inputs = lists
    if len(inputs) != len(operands):
        raise BadInput(f"the expression has {len(inputs)} operands, {len(operands)} are given")
    return inputs, output, operands


def _split(text):
    """"ij,jk->ik" -> ([(i, j), (j, k)], (i, k)); the output is None where there is no arrow."""
    left, arrow, right = text.replace(" ", "").partition("->")
    return [_letters(part) for part in left.split(",")], _letters(right) if arrow else None


def _letters(part):
    letters, at = [], 0
    while at < len(part):
        if part.startswith("...", at):
            letters.append(Ellipsis)
            at += 3
        elif part[at] in ".->,":
            raise BadInput(f"{part!r} is no list of subscripts")
        else:
            letters.append(part[at])
            at += 1
    return tuple(letters)


def expand(inputs, output, ranks):
    """Replaces ellipses by letters (0 counts from the right) and makes the output that is implied."""
    wide = 0
    expanded = []
    for number, (letters, rank) in enumerate(zip(inputs, ranks)):
        named = [letter for letter in letters if letter is not Ellipsis]
        if letters.count(Ellipsis) > 1:
            raise BadInput(f"operand {number} has two ellipses")
        missing = rank - len(named)
        if missing < 0 or (missing > 0 and Ellipsis not in letters):
            raise BadInput(f"operand {number} has {rank} axes, its subscripts name {len(named)}")
        wide = max(wide, missing)
        expanded.append(_replaced(letters, missing))
    if output is None:
        counts = {}
        for letter in itertools.chain(*inputs):
            if letter is not Ellipsis:
                counts[letter] = counts.get(letter, 0) + 1
        try:
            once = sorted(letter for letter, count in counts.items() if count == 1)
        except TypeError:
            raise BadInput("the letters have no order: name the output") from None
        output = (Ellipsis, *once) if wide else tuple(once)
    output = _replaced(output, wide)
    known = set(itertools.chain(*expanded))
    if wide and not any(isinstance(letter, tuple) and letter[0] == "..." for letter in output):
        raise BadInput("the output has no ellipsis, so the axes of the operands' ellipses would be summed: name them")
    for letter in output:
        if letter not in known:
            raise BadInput(f"the output names {letter!r}, which no operand has")
        if output.count(letter) > 1:
            raise BadInput(f"the output names {letter!r} twice")
    return expanded, output


def _replaced(letters, count):
    found = []
    for letter in letters:
        if letter is Ellipsis:
            found += [("...", place) for place in reversed(range(count))]
        else:
            found.append(letter)
    return tuple(found)
