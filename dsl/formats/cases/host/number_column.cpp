#include "dsl/formats/cases/host/number_column.h"

#include "dsl/formats/cases/npy_codes.h"
#include "dsl/support/check.h"
#include "dsl/syntax/spelling.h"

#include <cstring>
#include <type_traits>

namespace mpf {

namespace {

template <class Code, class Item>
int64_t takeColumn(const StateReader &reader, const NumberCells &cells, const BlockCells &to,
                   bool isMapped) {
  const uint32_t extent = reader.variable().extent;
  Code *const codes = reinterpret_cast<Code *>(to.block.column(to.column)) + to.at;
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
int64_t takeItems(const StateReader &reader, const NumberCells &cells, const BlockCells &to) {
  const bool isMapped = !reader.variable().labels.empty() && reader.numbers().areNeeded(cells.type);
  switch (to.block.codeBytes()) {
  case 1:
    return takeColumn<uint8_t, Item>(reader, cells, to, isMapped);
  case 2:
    return takeColumn<uint16_t, Item>(reader, cells, to, isMapped);
  default:
    return takeColumn<uint32_t, Item>(reader, cells, to, isMapped);
  }
}

} // namespace

int64_t setNumbers(const StateReader &reader, const NumberCells &cells, const BlockCells &to) {
  int64_t wrong = -1;
  if (withItem(cells.type,
               [&](auto item) { wrong = takeItems<decltype(item)>(reader, cells, to); }))
    return wrong;
  fail(ErrorKind::Unsupported, "column '{}': its type is no bool, integer, float32 or float64",
       excerpt(reader.variable().name));
}

} // namespace mpf
