#include "dsl/formats/cases/host/number_column.h"

#include "dsl/formats/cases/npy_codes.h"
#include "dsl/support/check.h"
#include "dsl/syntax/spelling.h"

#include <cstring>
#include <type_traits>

namespace mpf {

namespace {

template <class Item>
int64_t takeItems(const StateReader &reader, const NumberCells &cells, const BlockCells &to) {
  const bool isMapped = !reader.variable().labels.empty() && reader.numbers().areNeeded(cells.type);
  const uint32_t extent = reader.variable().extent;
  if (!isMapped && !std::is_floating_point_v<Item> && cells.strideBytes >= 0 &&
      to.withCodes([&]<class Code>(Code *codes) {
        return takeCodes<Code, Item>(cells.first, static_cast<size_t>(cells.strideBytes), to.count,
                                     extent, codes);
      }))
    return -1;
  return to.setCodes([&](uint32_t i) {
    Item item;
    std::memcpy(&item, cells.first + i * cells.strideBytes, sizeof(item));
    return isMapped || std::is_floating_point_v<Item> ? reader.ofItem(item) : codeOf(item, extent);
  });
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
