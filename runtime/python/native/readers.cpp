#include "runtime/python/native/readers.h"
#include "runtime/python/native/without_gil.h"

#include "dsl/formats/cases/columns/column_choice.h"
#include "dsl/formats/cases/npy_codes.h"
#include "dsl/source/suggest.h"
#include "dsl/support/check.h"
#include "dsl/syntax/spelling.h"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace mpf::python {

namespace {

StateLookup lookupOf(const Variable &variable) {
  std::vector<StateLookup::Entry> entries;
  for (uint32_t state = 0; state < variable.extent; ++state)
    entries.emplace_back(variable.labels.empty() ? std::to_string(state) : variable.labels[state],
                         state);
  entries.emplace_back("", variable.extent); // the label comes first if there is an empty one
  return StateLookup(std::move(entries));
}

NumberReading readingNamed(const std::string &name) {
  if (name == "labels")
    return NumberReading::Label;
  if (name == "numbers")
    return NumberReading::Place;
  if (!name.empty())
    fail(ErrorKind::Usage, "states={}: 'labels' or 'numbers'", name);
  return NumberReading::Both;
}

/// Numbers in memory at equal distances.
struct NumberCells {
  const char *first = nullptr;
  int64_t strideBytes = 0;
  nanobind::dlpack::dtype type;
};

std::optional<uint32_t> codeIfAny(uint32_t code) {
  return code == kNoCode ? std::nullopt : std::optional(code);
}

template <class Code> Code *codesOf(const BlockCells &to) {
  return reinterpret_cast<Code *>(to.block.column(to.column)) + to.at;
}

template <class Code, class Item>
int64_t takeColumn(const StateReader &reader, const NumberCells &cells, const BlockCells &to,
                   bool isMapped) {
  const uint32_t extent = reader.variable().extent;
  Code *const codes = codesOf<Code>(to);
  if (!isMapped && !std::is_floating_point_v<Item> && cells.strideBytes >= 0 &&
      takeCodes<Code, Item>(cells.first, static_cast<size_t>(cells.strideBytes), to.count, extent,
                            codes))
    return -1;
  for (uint32_t i = 0; i < to.count; ++i) {
    Item item;
    std::memcpy(&item, cells.first + i * cells.strideBytes, sizeof(item));
    const uint32_t code =
        isMapped || std::is_floating_point_v<Item> ? reader.ofItem(item) : codeOf(item, extent);
    if (code == kNoCode)
      return to.at + i;
    codes[i] = static_cast<Code>(code);
  }
  return -1;
}

template <class Item>
int64_t takeItems(const StateReader &reader, const NumberCells &cells, const BlockCells &to,
                  NpyType type) {
  const bool isMapped = !reader.variable().labels.empty() && reader.numbers().areNeeded(type);
  switch (to.block.codeBytes()) {
  case 1:
    return takeColumn<uint8_t, Item>(reader, cells, to, isMapped);
  case 2:
    return takeColumn<uint16_t, Item>(reader, cells, to, isMapped);
  default:
    return takeColumn<uint32_t, Item>(reader, cells, to, isMapped);
  }
}

/// Sets the codes of numbers. Returns the first case whose number has no code, or -1. Throws
/// Error(Unsupported) for types other than bool, integers up to 64 bits, float and double.
int64_t setNumbers(const StateReader &reader, const NumberCells &cells, const BlockCells &to) {
  using Code = nb::dlpack::dtype_code;
  const auto code = static_cast<Code>(cells.type.code);
  const uint32_t bytes = cells.type.bits / 8;
  const bool isSigned = code == Code::Int;
  const NpyType type{code == Code::Float  ? NpyKind::Float
                     : isSigned           ? NpyKind::Signed
                     : code == Code::Bool ? NpyKind::Bool
                                          : NpyKind::Unsigned,
                     bytes, false};
  if (code == Code::Float && bytes == 8)
    return takeItems<double>(reader, cells, to, type);
  if (code == Code::Float && bytes == 4)
    return takeItems<float>(reader, cells, to, type);
  if (code == Code::Bool)
    return takeItems<int8_t>(reader, cells, to, type);
  if (code == Code::Int || code == Code::UInt)
    switch (bytes) {
    case 1:
      return isSigned ? takeItems<int8_t>(reader, cells, to, type)
                      : takeItems<uint8_t>(reader, cells, to, type);
    case 2:
      return isSigned ? takeItems<int16_t>(reader, cells, to, type)
                      : takeItems<uint16_t>(reader, cells, to, type);
    case 4:
      return isSigned ? takeItems<int32_t>(reader, cells, to, type)
                      : takeItems<uint32_t>(reader, cells, to, type);
    case 8:
      return isSigned ? takeItems<int64_t>(reader, cells, to, type)
                      : takeItems<uint64_t>(reader, cells, to, type);
    }
  fail(ErrorKind::Unsupported, "column '{}': its type is no bool, integer, float32 or float64",
       excerpt(reader.variable().name));
}

using Column = nb::ndarray<nb::ro, nb::device::cpu, nb::ndim<1>>;

/// Maps codes of a dictionary to codes of states. `table` has the code of each entry; kNoCode: the
/// entry is no state. A negative index means "not observed".
template <class Item>
int64_t takeMapped(const Column &indices, uint64_t first, const std::vector<uint32_t> &table,
                   uint32_t extent, const BlockCells &to) {
  const auto *const items = static_cast<const Item *>(indices.data());
  for (uint32_t i = 0; i < to.count; ++i) {
    const Item index = items[static_cast<int64_t>(first + i) * indices.stride(0)];
    const bool isNone = std::is_signed_v<Item> && index < 0;
    const uint32_t code = isNone ? extent
                          : static_cast<uint64_t>(index) < table.size()
                              ? table[static_cast<size_t>(index)]
                              : kNoCode;
    if (code == kNoCode)
      return to.at + i;
    to.block.setCode(to.column, to.at + i, code);
  }
  return -1;
}

BlockCells cellsOf(Block &block, const StateReader &reader, size_t column, uint32_t at,
                   uint32_t count) {
  block.requireCells(column, at, count, reader.variable().extent);
  return {block.cases(), column, at, count};
}

void requireRows(const Column &array, uint64_t first, uint32_t count) {
  if (first + count > array.shape(0))
    fail(ErrorKind::Usage, "an array has {} rows, row {} was asked for", array.shape(0),
         first + count - 1);
}

int64_t fillNumbers(const StateReader &reader, Block &block, size_t column, const Column &array,
                    uint64_t first, uint32_t at, uint32_t count) {
  requireRows(array, first, count);
  const int64_t stride = array.stride(0) * static_cast<int64_t>(array.itemsize());
  const NumberCells cells{static_cast<const char *>(array.data()) +
                              static_cast<int64_t>(first) * stride,
                          stride, array.dtype()};
  return setNumbers(reader, cells, cellsOf(block, reader, column, at, count));
}

int64_t fillMapped(const StateReader &reader, Block &block, size_t column, const Column &indices,
                   uint64_t first, uint32_t at, uint32_t count,
                   const std::vector<uint32_t> &table) {
  requireRows(indices, first, count);
  const BlockCells to = cellsOf(block, reader, column, at, count);
  const uint32_t extent = reader.variable().extent;
  if (indices.dtype() == nb::dtype<int8_t>())
    return takeMapped<int8_t>(indices, first, table, extent, to);
  if (indices.dtype() == nb::dtype<int16_t>())
    return takeMapped<int16_t>(indices, first, table, extent, to);
  if (indices.dtype() == nb::dtype<int32_t>())
    return takeMapped<int32_t>(indices, first, table, extent, to);
  if (indices.dtype() == nb::dtype<int64_t>())
    return takeMapped<int64_t>(indices, first, table, extent, to);
  fail(ErrorKind::Internal, "the codes of a dictionary are no signed integers");
}

/// Sets the cases from `at` to the Python objects of `cells`, beginning with number `done`, by a
/// dict from cells to codes. Returns the number of the first cell that the dict lacks, or -1.
int64_t fillObjects(Block &block, size_t column, const nb::list &cells, uint32_t done, uint32_t at,
                    const nb::dict &codes) {
  const auto count = static_cast<uint32_t>(cells.size());
  for (uint32_t i = done; i < count; ++i) {
    PyObject *const code = PyDict_GetItemWithError(codes.ptr(), nb::handle(cells[i]).ptr());
    if (code == nullptr) {
      PyErr_Clear(); // a cell without a hash is no key
      return i;
    }
    block.setCode(column, at + i, nb::cast<uint32_t>(nb::handle(code)));
  }
  return -1;
}

} // namespace

StateReader::StateReader(const Variable &variable, NumberReading reading)
    : variable_(variable), numbers_(variable, reading), labels_(lookupOf(variable)) {}

uint32_t StateReader::ofText(std::string_view text) const {
  if (text.size() > StateLookup::kPaddingBytes)
    return labels_.find(text.data(), text.size());
  char padded[2 * StateLookup::kPaddingBytes] = {};
  std::memcpy(padded, text.data(), text.size());
  return labels_.find(padded, text.size());
}

std::string StateReader::problemOf(std::string_view text) const {
  Suggestion near(text);
  near.offerAll(variable_.labels);
  const std::string hint = near.hint();
  return variable_.labels.empty()
             ? fmt::format("'{}' is no state of '{}', which has the {} states 0 to {}",
                           excerpt(text), excerpt(variable_.name), variable_.extent,
                           variable_.extent - 1)
             : fmt::format("'{}' is none of the {}{}{}", excerpt(text),
                           labelsText(variable_.name, variable_.labels), hint.empty() ? "" : "; ",
                           hint);
}

std::string StateReader::problemOf(double number) const {
  if (variable_.labels.empty())
    return fmt::format("{} is no state of '{}', which has the {} states 0 to {}", number,
                       excerpt(variable_.name), variable_.extent, variable_.extent - 1);
  std::string problem = numbers_.problem(number);
  if (const size_t hint = problem.find(kStatesHint); hint != std::string::npos)
    problem.replace(
        hint, std::string_view(kStatesHint).size(),
        "states=\"labels\" reads numbers as labels, states=\"numbers\" as the numbers of states");
  return problem;
}

void defineReaders(nb::module_ &module) {
  nb::class_<StateReader>(module, "Reader")
      .def("__init__",
           [](StateReader *self, std::string name, uint32_t states, std::vector<std::string> labels,
              const std::string &reading) {
             Variable variable;
             variable.name = std::move(name);
             variable.extent = states;
             variable.labels = std::move(labels);
             new (self) StateReader(variable, readingNamed(reading));
           })
      .def(
          "of_text",
          [](const StateReader &reader, std::string_view text) {
            return codeIfAny(reader.ofText(text));
          },
          "The code of a label: a state, or the number of states for an empty text; None: no label")
      .def(
          "of_number",
          [](const StateReader &reader, double number) {
            return codeIfAny(reader.ofNumber(number));
          },
          "The code of a number; None: it has none")
      .def("problem",
           [](const StateReader &reader, std::string_view text) { return reader.problemOf(text); })
      .def("problem",
           [](const StateReader &reader, double number) { return reader.problemOf(number); })
      .def("fill_numbers", &fillNumbers, nb::arg("block"), nb::arg("column"),
           nb::arg("array").noconvert(), nb::arg("first"), nb::arg("at"), nb::arg("count"),
           nb::call_guard<WithoutGil>(),
           "Sets the codes of a column of numbers; returns the first case of a wrong one, or -1")
      .def("fill_mapped", &fillMapped, nb::arg("block"), nb::arg("column"),
           nb::arg("indices").noconvert(), nb::arg("first"), nb::arg("at"), nb::arg("count"),
           nb::arg("table"), nb::call_guard<WithoutGil>(),
           "Sets the codes of a column of indices into `table`");
  module.def("fill_objects", &fillObjects);
}

} // namespace mpf::python
