"""The result of one case, by the kind of the query."""
import functools
import itertools
import math

import numpy as np

from mpf.errors import BadInput
from mpf.options import warn_beyond
from mpf.table import Best, Marginals, Table


def variables_named(compiled, names):
    """The variables of a compiled query with these names."""
    return [compiled.by_name[name] for name in names]


def _evidence(compiled, answers):
    return answers.log(0)


def _impossible():
    return BadInput("the evidence has probability 0: there is no posterior")


def _posterior(compiled, answers):
    variables = compiled.asked
    if variables is None:
        variables = compiled.asked = variables_named(compiled, answers.tables()[0][0])
    values = answers.one(0)
    if values is None:
        raise _impossible()
    return Table(values, variables, functools.partial(answers.logs, 0))


def _marginals(compiled, answers):
    if compiled.asked is None:
        tables = answers.tables()[1:]
        variables = [variables_named(compiled, table[0]) for table in tables]
        shapes = [tuple(map(len, own)) for own in variables]
        ends = itertools.accumulate(map(math.prod, shapes))
        places = [slice(end - math.prod(shape), end) for end, shape in zip(ends, shapes)]
        compiled.asked = [(table[3], *entry) for table, *entry in zip(tables, variables, places, shapes)]
    found = Marginals()
    found.log_evidence = answers.log(0)
    if found.log_evidence == -np.inf:
        raise _impossible()
    values = answers.rest_of_one()
    for number, (name, variables, place, shape) in enumerate(compiled.asked, 1):
        if values is None:
            table, logs = answers.one(number), functools.partial(answers.logs, number)
        else:
            table, logs = values[place], None
        found[name] = Table(table if len(shape) == 1 else table.reshape(shape), variables, logs)
    return found


def _best(compiled, answers):
    states = answers.states()[0].tolist() if compiled.variables else []
    found = Best()
    found.log_value, found._value = answers.log(0), answers.number(0)
    if found.log_value == -np.inf:
        raise _impossible()
    for variable, state in zip(compiled.variables, states):
        found[variable.name] = variable.labels[state]
    return found


def expression(compiled, answers, log=False):
    """A table over the free variables; without any, one number. `log`: in natural logarithms."""
    names, is_log, is_integer, _ = answers.tables()[0]
    variables = variables_named(compiled, names)
    if log or is_log:
        values = answers.logs(0)
    elif is_integer:
        values = np.array(answers.integers(0), dtype=object)
    else:
        values = answers.values(0)
        tell_beyond(answers)
    if not variables:
        return values.reshape(-1)[0] if values.dtype == object else float(values.reshape(-1)[0])
    values = values.reshape([len(v) for v in variables])
    return Table(values, variables, values if log else None if is_log else functools.partial(answers.logs, 0))


def tell_beyond(answers, skipped=(), first=None):
    """Warns if doubles do not hold an answer; returns whether it did. `first`: the number of the first row, of many."""
    beyond = answers.beyond(0, skipped)
    if beyond is None:
        return False
    place, ln, nearest = beyond
    row = "" if first is None else f", row {first + place}"
    warn_beyond(f"{answers.tables()[0][3]}{row}", ln, nearest, "; log=True answers with natural logarithms")
    return True


def in_logs(compiled, answers):
    """The result in natural logarithms. Those of evidence and best have them anyway."""
    if compiled.kind not in RESULTS:
        return expression(compiled, answers, log=True)
    found = RESULTS[compiled.kind](compiled, answers)
    if isinstance(found, Table):
        return found.in_logs()
    if isinstance(found, Marginals):
        found.update([(name, table.in_logs()) for name, table in found.items()])
    return found


RESULTS = {"evidence": _evidence, "joint": _posterior, "marginals": _marginals, "joints": _marginals,
           "best": _best, "optimum": _best}
