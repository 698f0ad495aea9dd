"""The result of one case, by the kind of the query."""
import itertools
import math

import numpy as np

from mpf.errors import BadInput
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
    return Table(values, variables)


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
        table = answers.one(number) if values is None else values[place]
        found[name] = Table(table if len(shape) == 1 else table.reshape(shape), variables)
    return found


def _best(compiled, answers):
    states = answers.states()[0].tolist() if compiled.variables else []
    found = Best()
    found.log_value = answers.log(0)
    if found.log_value == -np.inf:
        raise _impossible()
    for variable, state in zip(compiled.variables, states):
        found[variable.name] = variable.labels[state]
    return found


def expression(compiled, answers):
    """A table over the free variables; without any, one number."""
    names, is_log, is_integer, _ = answers.tables()[0]
    variables = variables_named(compiled, names)
    if is_integer:
        values = np.array(answers.integers(0), dtype=object)
    elif is_log:
        values = answers.logs(0)
    else:
        values = answers.values(0)
    if not variables:
        return values.reshape(-1)[0] if is_integer else float(values.reshape(-1)[0])
    logs = None if is_integer or is_log else (lambda: answers.logs(0))
    return Table(values.reshape([len(v) for v in variables]), variables, logs)


RESULTS = {"evidence": _evidence, "joint": _posterior, "marginals": _marginals, "joints": _marginals,
           "best": _best, "optimum": _best}
