#include "dsl/formats/tables/npy_file.h"

#include "dsl/formats/tables/npy_header.h"
#include "dsl/support/check.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace mpf {

namespace {

/// The bytes of one item as an integer, in this machine's order.
uint64_t loadItem(const char *item, uint32_t bytes, bool bigEndian) {
  uint64_t value = 0;
  for (uint32_t i = 0; i < bytes; ++i) {
    const uint32_t at = bigEndian ? i : bytes - 1 - i;
    value = value << 8 | static_cast<unsigned char>(item[at]);
  }
  return value;
}

/// IEEE binary16, all of whose values a double holds.
double halfToDouble(uint64_t bits) {
  const auto mantissa = static_cast<double>(bits & 0x3ff);
  const int exponent = static_cast<int>(bits >> 10 & 0x1f);
  const double sign = bits & 0x8000 ? -1.0 : 1.0;
  if (exponent == 0x1f)
    return mantissa == 0 ? sign * HUGE_VAL : std::nan("");
  return sign *
         (exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(mantissa + 1024.0, exponent - 25));
}

/// One entry as a double; NaN when it has no exact one (callers refuse NaN anyway).
double toDouble(uint64_t bits, NpyKind kind, uint32_t bytes) {
  switch (kind) {
  case NpyKind::Bool:
    return bits <= 1 ? static_cast<double>(bits) : std::nan("");
  case NpyKind::Float:
    return bytes == 8   ? std::bit_cast<double>(bits)
           : bytes == 4 ? static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits)))
                        : halfToDouble(bits);
  case NpyKind::Signed: {
    const unsigned unused = 64 - 8 * bytes;
    const auto value = static_cast<int64_t>(bits << unused) >> unused;
    const auto rounded = static_cast<double>(value);
    // 2^63 itself does not fit int64_t: it must not be converted back.
    return rounded < 0x1p63 && static_cast<int64_t>(rounded) == value ? rounded : std::nan("");
  }
  case NpyKind::Unsigned: {
    const auto rounded = static_cast<double>(bits);
    return rounded < 0x1p64 && static_cast<uint64_t>(rounded) == bits ? rounded : std::nan("");
  }
  }
  MPF_UNREACHABLE("kind {} of .npy entries", static_cast<int>(kind));
}

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

/// Entries stored first index fastest -> last index fastest.
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
    // Odometer over the indices, the last one fastest; `at` follows.
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
    const double value = toDouble(loadItem(item, header->itemBytes, header->bigEndian),
                                  header->kind, header->itemBytes);
    if (std::isnan(value)) {
      problem = fmt::format("its entry {} in file order is {}", i, refusedEntry(header->kind));
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
  std::string header =
      fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}{}), }}",
                  fmt::join(table.shape, ", "), table.shape.size() == 1 ? "," : "");
  // The entries start at a multiple of 64 bytes; the header ends with a line feed.
  constexpr size_t kPreludeBytes = 10, kAlignBytes = 64;
  header.append(kAlignBytes - (kPreludeBytes + header.size() + 1) % kAlignBytes, ' ');
  header += '\n';
  std::string file = "\x93NUMPY";
  file += '\x01';
  file += '\0';
  file += static_cast<char>(header.size() & 0xff);
  file += static_cast<char>(header.size() >> 8);
  file += header;
  file.reserve(file.size() + table.values.size() * sizeof(double));
  for (const double value : table.values) {
    const auto bits = std::bit_cast<uint64_t>(value);
    for (int shift = 0; shift < 64; shift += 8)
      file += static_cast<char>(bits >> shift & 0xff);
  }
  return file;
}

} // namespace mpf
