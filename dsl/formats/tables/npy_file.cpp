#include "dsl/formats/tables/npy_file.h"

#include "dsl/formats/tables/npy_header.h"
#include "dsl/formats/tables/npy_number.h"
#include "dsl/support/check.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace mpf {

namespace {

const char *refusedEntry(NpyKind kind) {
  switch (kind) {
  case NpyKind::Bool:
    return "neither 0 nor 1";
  case NpyKind::Float:
    return "not a number";
  default:
    return "an integer that no double holds exactly";
  }
}

/// Reorders entries from first index fastest to last index fastest.
std::vector<double> fromFortranOrder(const std::vector<double> &stored,
                                     const std::vector<uint64_t> &shape) {
  std::vector<uint64_t> strides(shape.size()), index(shape.size(), 0);
  uint64_t stride = 1;
  for (size_t d = 0; d < shape.size(); ++d) {
    strides[d] = stride;
    stride *= shape[d];
  }
  std::vector<double> values;
  values.reserve(stored.size());
  uint64_t at = 0;
  for (size_t i = 0; i < stored.size(); ++i) {
    values.push_back(stored[at]);
    // Count through the indices, the last one fastest, and update `at`.
    for (size_t d = shape.size(); d-- > 0;) {
      at += strides[d];
      if (++index[d] != shape[d])
        break;
      at -= strides[d] * shape[d];
      index[d] = 0;
    }
  }
  return values;
}

} // namespace

std::optional<TableFile> readNpy(std::string_view file, uint64_t maxEntries, std::string &problem) {
  const auto header = readNpyHeader(file, problem);
  if (!header)
    return std::nullopt;
  if (header->elems() > maxEntries) {
    problem = fmt::format("it has {} entries (shape ({})), at most {} are wanted here",
                          header->elems(), fmt::join(header->shape, ", "), maxEntries);
    return std::nullopt;
  }
  TableFile table;
  table.shape = header->shape;
  table.values.reserve(header->elems());
  const char *item = file.data() + header->dataBegin;
  for (uint64_t i = 0; i < header->elems(); ++i, item += header->itemBytes) {
    const double value = npyNumber(item, header->type);
    if (std::isnan(value)) {
      problem = fmt::format("its entry {} in file order is {}", i, refusedEntry(header->type.kind));
      return std::nullopt;
    }
    table.values.push_back(value);
  }
  if (header->fortranOrder && header->shape.size() > 1)
    table.values = fromFortranOrder(table.values, header->shape);
  return table;
}

std::string formatNpy(const TableFile &table) {
  uint64_t elems = 1;
  for (const uint64_t dim : table.shape)
    elems *= dim;
  MPF_CHECK(elems == table.values.size(), "shape ({}) for {} values", fmt::join(table.shape, ", "),
            table.values.size());
  std::string file = formatNpyHeader(table.shape);
  file.reserve(file.size() + table.values.size() * sizeof(double));
  for (const double value : table.values) {
    const auto bits = std::bit_cast<uint64_t>(value);
    for (int shift = 0; shift < 64; shift += 8)
      file += static_cast<char>(bits >> shift & 0xff);
  }
  return file;
}

} // namespace mpf
