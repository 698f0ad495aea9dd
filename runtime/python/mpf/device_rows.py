"""Rows of evidence in the memory of a GPU: answered there, and the answers stay there."""
from math import prod as _product
from threading import Lock

import numpy as np

from mpf import _mpf
from mpf.cases import choose_columns
from mpf.device import cells_of, is_on_device
from mpf.device_exact import answer_lost
from mpf.device_kinds import kind_of, package_of
from mpf.errors import BadInput, Unsupported, Usage
from mpf.results import variables_named
from mpf.row_tables import BestRows, RowTable
from mpf.table import Marginals


class _Rows:
    """Columns of numbers on the GPU: name -> (address, stride, kind, bytes)."""

    def __init__(self):
        self.columns = {}
        self.count = None

    @property
    def names(self):
        return list(self.columns)

    def add(self, name, cells):
        if self.count not in (None, cells.shape[0]):
            raise BadInput(f"the columns differ in length: {name!r} has {cells.shape[0]}, others {self.count}")
        self.count = cells.shape[0]
        self.columns[name] = cells.address, cells.strides[0], cells.kind, cells.item


def are_on_device(cases):
    """Whether cases lie on a GPU: one array, or all columns of a dict. Raises BadInput if some columns do."""
    if not isinstance(cases, dict):
        return is_on_device(cases)
    places = {name: is_on_device(values) for name, values in cases.items()}
    if any(places.values()) and not all(places.values()):
        here = next(name for name, is_there in places.items() if not is_there)
        there = next(name for name, is_there in places.items() if is_there)
        raise BadInput(f"column {there!r} lies in the memory of a GPU and {here!r} does not: all columns, or none")
    return any(places.values())


def _rows_of(cases, names, kind):
    """The columns of an array [case, variable] or of a dict of arrays [case]."""
    rows, after = _Rows(), []

    def read(array, axes):
        cells = cells_of(array, kind.order)
        if len(cells.shape) != axes:
            raise BadInput(f"cases on a GPU have shape {tuple(cells.shape)}: {axes} axes are needed")
        kind.take(cells.owner)
        if cells.after is not None:
            after.append(cells.after)
        return cells

    if isinstance(cases, dict):
        packages = {package_of(array) for array in cases.values()}
        if len(packages) > 1:
            raise Usage(f"the columns are arrays of {' and '.join(sorted(packages))}: give arrays of one package")
        for name, array in cases.items():
            if not isinstance(name, str):
                raise BadInput(f"a column is called {name!r}, which is no text")
            rows.add(name, read(array, 1))
        return rows, after
    cells = read(cases, 2)
    if cells.shape[1] != len(names):
        raise BadInput(f"cases have shape {tuple(cells.shape)}: rows of {len(names)} states, one for each variable, are needed")
    rows.count = cells.shape[0]
    for column, name in enumerate(names):
        rows.columns[name] = cells.address + column * cells.strides[1], cells.strides[0], cells.kind, cells.item
    return rows, after


def _require_plain(variable, kind, item):
    """Raises where a number of this type is not simply the place of a state: the device knows no labels."""
    if not variable.has_labels:
        return
    for state, label in enumerate(variable.labels):
        try:
            number = float(label)
        except ValueError:
            number = 0.0
        says_nothing = number < 0 or number != number or (kind == 1 and number == 2 ** (8 * item) - 1)
        if says_nothing or variable.reader.of_number(float(state)) != state:
            raise Usage(f"the labels of {variable.name!r} look like numbers, and cases on a GPU have numbers of states: say "
                        "states=\"numbers\"" if not says_nothing else
                        f"the label {label!r} of {variable.name!r} would mean \"not observed\" on a GPU: give cases in the "
                        "host's memory")


class DeviceAsker:
    """Asks one compiled query for cases on the GPU.

    It opens a session for the device, and knows the tables of the query.
    """

    def __init__(self, compiled, session, block):
        self.session = session
        block.start(0, 0)
        answers = session.run(block)
        self.tables = answers.tables()  # (variables, is log, is integer, name)
        self.has_states = compiled.kind == "best"
        self.counting = Lock()  # of calls that are exact: each looks at the count before and after
        self.checked = set()  # variables whose numbers are the places of states
        if compiled.kind == "optimum" or answers.has_rows() or any(table[2] for table in self.tables):
            raise Unsupported("cases on a GPU are not answered for assignments of expressions, P(x | y), and counts")
        self.sizes = [_product(len(compiled.by_name[name]) for name in table[0]) for table in self.tables]
        places = {name: number for number, (name, _) in enumerate(session.device_tables())}
        self.places = [0] + [places.get(table[3]) for table in self.tables[1:]]
        if None in self.places or session.device_tables()[0][1] != self.sizes[0]:
            raise Unsupported("cases on a GPU are not answered for tables of variables that the network observes itself")

    def ask(self, compiled, given, cases, ignore, log, stream, exact):
        first = next(iter(cases.values())) if isinstance(cases, dict) else cases
        kind = kind_of(first, stream)
        rows, after = _rows_of(cases, list(compiled.by_name), kind)
        findings, weights = compiled.findings(given)
        if weights:
            raise Unsupported("soft evidence beside cases on a GPU")
        columns, chosen = [], {}
        for name, variable, column in choose_columns(rows, compiled.by_name, compiled.columns, ignore):
            if name in given:
                raise Usage(f"{name!r} is given, and a column of the cases")
            key = name, *rows.columns[name][2:]
            if key not in self.checked:
                _require_plain(variable, *key[1:])
                self.checked.add(key)
            columns.append((column, *rows.columns[name]))
            chosen[name] = rows.columns[name]
        made, tables, states = self._make(compiled, kind, rows.count, log)
        if not exact:
            self._run(kind, after, rows.count, columns, findings, tables, states)
            return self._result(compiled, [kind.finish(array) for array, *_ in made])
        with self.counting:
            lost = self.session.device_counts()[1]
            self._run(kind, after, rows.count, columns, findings, tables, states)
            lost = self.session.device_counts()[1] - lost  # waits
        if lost:
            answer_lost(lambda cells: arrays_of(compiled.ask(given, cells, errors="skip", log=log)), rows.count, chosen,
                        [(address, dtype, shape) for _, address, dtype, shape in made])
        return self._result(compiled, [kind.finish(array) for array, *_ in made])

    def _run(self, kind, after, count, columns, findings, tables, states):
        kind.before()
        try:
            for other in set(after).difference((kind.stream,)):
                _mpf.order_streams(other, kind.stream)
            self.session.run_on_device(count, columns, findings, tables, states, kind.stream)
        finally:
            kind.after()

    def _make(self, compiled, kind, count, log):
        """New arrays for the answers, in the order of the tables; states come last.

        Returns (array, address, type, shape of a row) of each, what the session writes, and the address of states.
        """
        made, wanted, states = [], [], 0
        for number, (names, is_log, _, _) in enumerate(self.tables):
            is_log = is_log or log or (number == 0 and compiled.kind in ("evidence", "marginals", "joints", "best"))
            shape = tuple(len(compiled.by_name[name]) for name in names)
            array, address = kind.empty([count, *shape], True)
            made.append((array, address, "f8", shape))
            if count:
                wanted.append((self.places[number], address, self.sizes[number], is_log))
        if self.has_states:
            shape = len(compiled.variables),
            array, states = kind.empty([count, *shape], False)
            made.append((array, states, "i4", shape))
        return made, wanted, states if count else 0

    def _result(self, compiled, made):
        kind = compiled.kind
        if kind == "evidence":
            return made[0]
        if kind == "best":
            return BestRows(made[1], made[0], compiled.variables)
        tables = [RowTable(array, variables_named(compiled, table[0])) for array, table in zip(made, self.tables)]
        if kind in ("marginals", "joints"):
            found = Marginals({name: table for table, (*_, name) in zip(tables[1:], self.tables[1:])})
            found.log_evidence = made[0]
            return found
        return tables[0] if tables[0].variables else made[0]


def arrays_of(found):
    """The arrays of a result of rows, in the order in which the device makes them."""
    if isinstance(found, BestRows):
        return [found.log_value, found.states]
    if isinstance(found, Marginals):
        return [found.log_evidence, *map(np.asarray, found.values())]
    return [np.asarray(found)]
