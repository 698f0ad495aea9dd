#include "runtime/python/native/readers.h"

#include "dsl/formats/cases/host/number_column.h"
#include "dsl/support/check.h"
#include "runtime/python/native/block.h"
#include "runtime/python/native/without_gil.h"

#include <array>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>
#include <optional>

namespace nb = nanobind;

namespace mpf::python {

namespace {

constexpr const char *kHint =
    "states=\"labels\" reads numbers as labels, states=\"numbers\" as the numbers of states";

std::optional<uint32_t> codeIfAny(uint32_t code) {
  return code == kNoCode ? std::nullopt : std::optional(code);
}

/// Returns the type of an array's items; Unsigned with 0 bytes for types that are no numbers.
NpyType typeOf(nanobind::dlpack::dtype type) {
  using Code = nb::dlpack::dtype_code;
  switch (static_cast<Code>(type.code)) {
  case Code::Float:
    return {NpyKind::Float, type.bits / 8u, false};
  case Code::Int:
    return {NpyKind::Signed, type.bits / 8u, false};
  case Code::Bool:
    return {NpyKind::Bool, type.bits / 8u, false};
  case Code::UInt:
    return {NpyKind::Unsigned, type.bits / 8u, false};
  default:
    return {NpyKind::Unsigned, 0, false};
  }
}

using Column = nb::ndarray<nb::ro, nb::device::cpu, nb::ndim<1>>;

/// Maps codes of a dictionary to codes of states. `table` has the code of each entry; kNoCode: the
/// entry is no state. A negative index means "not observed".
template <class Item>
int64_t takeMapped(const Column &indices, uint64_t first, const std::vector<uint32_t> &table,
                   uint32_t extent, const BlockCells &to) {
  const auto *const items = static_cast<const Item *>(indices.data());
  const int64_t stride = indices.stride(0);
  return to.setCodes([&, stride](uint32_t i) {
    const Item index = items[static_cast<int64_t>(first + i) * stride];
    if (index < 0)
      return extent;
    return static_cast<uint64_t>(index) < table.size() ? table[static_cast<size_t>(index)]
                                                       : kNoCode;
  });
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
                          stride, typeOf(array.dtype())};
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

/// Codes of objects by their addresses. A column repeats few objects, and an address is found
/// faster than an equal key of a dict. The objects must live as long as this.
class MetObjects {
public:
  struct Entry {
    PyObject *object = nullptr;
    uint32_t code = 0;
  };
  Entry &entry(PyObject *object) {
    return entries_[(reinterpret_cast<uintptr_t>(object) >> 4) % entries_.size()];
  }

private:
  std::array<Entry, 64> entries_;
};

/// Sets the cases from `at` to the Python objects of `cells`, beginning with number `done`, by a
/// dict from cells to codes. Returns the number of the first cell that the dict lacks, or -1.
int64_t fillObjects(const StateReader &reader, Block &block, size_t column, const nb::list &cells,
                    uint32_t done, uint32_t at, const nb::dict &codes) {
  const auto count = static_cast<uint32_t>(cells.size());
  const BlockCells to = cellsOf(block, reader, column, at + done, count - done);
  MetObjects met;
  const int64_t wrong = to.setCodes([&](uint32_t i) {
    PyObject *const cell = PyList_GetItem(cells.ptr(), done + i);
    MetObjects::Entry &entry = met.entry(cell);
    if (entry.object != cell) {
      PyObject *const code = PyDict_GetItemWithError(codes.ptr(), cell);
      if (code == nullptr) {
        PyErr_Clear(); // a cell without a hash is no key
        return kNoCode;
      }
      entry = {cell, nb::cast<uint32_t>(nb::handle(code))};
      block.requireCode(column, entry.code);
    }
    return entry.code;
  });
  return wrong < 0 ? wrong : wrong - at;
}

} // namespace

void defineReaders(nb::module_ &module) {
  nb::class_<StateReader>(module, "Reader")
      .def("__init__",
           [](StateReader *self, std::string name, uint32_t states, std::vector<std::string> labels,
              const std::string &reading) {
             Variable variable;
             variable.name = std::move(name);
             variable.extent = states;
             variable.labels = std::move(labels);
             new (self) StateReader(variable, numberReadingNamed(reading), kHint);
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
           "Sets the codes of a column of indices into `table`")
      .def("fill_objects", &fillObjects,
           "Sets the codes of a column of objects; returns the first that the dict lacks, or -1");
}

} // namespace mpf::python
