#include "runtime/python/native/answers.h"

#include "runtime/python/native/arrays.h"
#include "runtime/python/native/beyond_doubles.h"

#include <algorithm>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace mpf::python {

namespace {

/// Returns an array over memory that `owner` keeps.
template <class Item, class... Sizes>
nb::object viewOf(const Item *data, nb::handle owner, Sizes... sizes) {
  return nb::cast(nb::ndarray<nb::numpy, const Item>(data, {static_cast<size_t>(sizes)...}, owner));
}

const CaseTable &tableOf(const CaseAnswers &answers, size_t number) {
  if (number >= answers.tables.size())
    throw nb::index_error("there is no such table");
  return answers.tables[number];
}

/// Returns the values of the answers as doubles: 0, subnormal or infinite out of their range; NaN
/// in rows without posterior.
nb::object valuesOf(nb::handle self, size_t number) {
  const auto &answers = nb::cast<const CaseAnswers &>(self);
  const CaseTable &table = tableOf(answers, number);
  bool isPlain = table.farApart.empty() && table.rowVariables == 0;
  for (size_t i = 0; i < answers.count && isPlain; ++i)
    isPlain = table.exponents[i] == 0;
  if (isPlain)
    return viewOf(table.entries.data(), self, answers.count, table.size);
  return newArray({answers.count, table.size}, [&](double *to) {
    for (uint32_t i = 0; i < answers.count; ++i)
      for (size_t e = 0; e < table.size; ++e)
        *to++ = table.isUndefined(i, e) ? std::numeric_limits<double>::quiet_NaN()
                                        : table.at(i, e).nearest();
  });
}

nb::object logsOf(const CaseAnswers &answers, size_t number) {
  const CaseTable &table = tableOf(answers, number);
  return newArray({answers.count, table.size}, [&](double *to) {
    for (uint32_t i = 0; i < answers.count; ++i)
      for (size_t e = 0; e < table.size; ++e)
        *to++ = table.lnAt(i, e);
  });
}

/// Returns the values of one case in the shape of the table's variables; None if all are 0.
nb::object tableOfOne(nb::handle self, size_t number) {
  const CaseTable &table = tableOf(nb::cast<const CaseAnswers &>(self), number);
  const bool isZero = std::ranges::all_of(table.entries, [](double value) { return value == 0; });
  if (!table.farApart.empty() || table.exponents[0] != 0 || (table.rowVariables != 0 && !isZero))
    return valuesOf(self, number).attr("reshape")(nb::cast(table.extents));
  if (isZero)
    return nb::none();
  const std::vector<size_t> shape(table.extents.begin(), table.extents.end());
  return nb::cast(
      nb::ndarray<nb::numpy, const double>(table.entries.data(), shape.size(), shape.data(), self));
}

/// Returns the values of one case of all tables but the first, table by table; None if a table
/// needs more than its entries.
nb::object restOfOne(const CaseAnswers &answers) {
  size_t size = 0;
  for (size_t t = 1; t < answers.tables.size(); ++t) {
    const CaseTable &table = answers.tables[t];
    if (!table.farApart.empty() || table.exponents[0] != 0 || table.rowVariables != 0)
      return nb::none();
    size += table.size;
  }
  return newArray<const double>({size}, [&](double *to) {
    for (size_t t = 1; t < answers.tables.size(); ++t)
      to = std::copy_n(answers.tables[t].entries.data(), answers.tables[t].size, to);
  });
}

/// Returns (case, natural logarithm, nearest double) of the first case whose entries doubles do not
/// hold, or None. `without`: cases to leave out, ascending.
nb::object beyondOf(const CaseAnswers &answers, size_t number,
                    const std::vector<uint32_t> &without) {
  const CaseTable &table = tableOf(answers, number);
  for (uint32_t i = 0; i < answers.count; ++i) {
    if (table.exponents[i] == 0 && table.farApart.empty())
      continue;
    const auto found = beyondDoubles(table.size, [&](size_t e) { return table.at(i, e); });
    if (found && !std::ranges::binary_search(without, i))
      return nb::make_tuple(i, found->ln(), found->nearest());
  }
  return nb::none();
}

nb::list integersOf(const CaseAnswers &answers, size_t number) {
  const CaseTable &table = tableOf(answers, number);
  if (table.integerEntries.size() != answers.count * table.size)
    throw nb::value_error("the query does not count in whole numbers");
  nb::list integers;
  for (size_t i = 0; i < answers.count * table.size; ++i)
    integers.append(exactInt(table.integerEntries[i]));
  return integers;
}

nb::list describe(const CaseAnswers &answers) {
  nb::list tables;
  for (const CaseTable &table : answers.tables)
    tables.append(nb::make_tuple(table.variables, table.logValues, table.isInteger, table.name));
  return tables;
}

nb::object statesOf(nb::handle self) {
  const auto &answers = nb::cast<const CaseAnswers &>(self);
  return viewOf(answers.states.data(), self, answers.variables == 0 ? 0 : answers.count,
                answers.variables);
}

} // namespace

nb::object exactInt(Uint128 value) {
  const auto low = nb::cast(static_cast<uint64_t>(value));
  if (value >> 64 == 0)
    return low;
  return nb::cast(static_cast<uint64_t>(value >> 64)).attr("__lshift__")(64).attr("__or__")(low);
}

void defineAnswers(nb::module_ &module) {
  nb::class_<CaseAnswers>(module, "Answers")
      .def_ro("count", &CaseAnswers::count)
      .def(
          "refused",
          [](const CaseAnswers &answers) {
            std::vector<uint32_t> places;
            for (const RefusedCase &refused : answers.refused)
              places.push_back(refused.place);
            return places;
          },
          "Places of cases without an answer")
      .def("tables", &describe, "(variables, is log, is integer, name) of each table")
      .def(
          "has_rows",
          [](const CaseAnswers &answers) {
            return std::ranges::any_of(
                answers.tables, [](const CaseTable &table) { return table.rowVariables != 0; });
          },
          "Whether a table adds up to 1 row by row")
      .def("values", &valuesOf, "Array [case, entry] of doubles")
      .def("one", &tableOfOne,
           "The table of the first case, an axis for each variable; None: all is 0")
      .def("rest_of_one", &restOfOne,
           "The tables of the first case behind the first one, in one array; None: ask for each")
      .def("logs", &logsOf, "Array [case, entry] of natural logarithms")
      .def("log", [](const CaseAnswers &answers,
                     size_t number) { return tableOf(answers, number).lnAt(0); })
      .def("beyond", &beyondOf, nb::arg("table"), nb::arg("without"),
           "(case, natural logarithm, nearest double) of the first case beyond doubles, or None")
      .def("number", [](const CaseAnswers &answers,
                        size_t number) { return tableOf(answers, number).at(0).nearest(); })
      .def("integers", &integersOf, "The exact entries, case by case")
      .def("states", &statesOf, "Array [case, variable] of the best assignments");
}

} // namespace mpf::python
