// Numbers of an array -> codes of states (dsl/support/cases/case_block.h), as npy_cases.h reads
// them: negative numbers, NaN and, of unsigned types, the largest number that is no state are not
// observed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace mpf {

/// What a number has for a code that is no state, and does not say "not observed" either.
inline constexpr uint32_t kNoCode = UINT32_MAX;

template <class Item> uint32_t codeOf(Item item, uint32_t extent) {
  if constexpr (std::is_floating_point_v<Item>) {
    const bool isState = item >= 0 && item < static_cast<Item>(extent);
    const auto state = static_cast<uint32_t>(isState ? item : Item{0});
    const bool isNone = std::isnan(item) || item < 0;
    return isNone ? extent : isState && static_cast<Item>(state) == item ? state : kNoCode;
  } else {
    using Unsigned = std::make_unsigned_t<Item>;
    const auto state = static_cast<Unsigned>(item);
    const bool isNegative = std::is_signed_v<Item> && item < 0;
    if (!isNegative && state < extent)
      return static_cast<uint32_t>(state);
    const bool isLargest = !std::is_signed_v<Item> && state == std::numeric_limits<Unsigned>::max();
    return isNegative || isLargest ? extent : kNoCode;
  }
}

namespace npy_codes {

/// Items that are `stride` bytes apart; Stride != 0: that, known to the compiler, which then takes
/// vectors.
template <class Item, size_t Stride> struct Items {
  const char *first;
  size_t stride;

  Item operator[](size_t i) const {
    Item item;
    std::memcpy(&item, first + i * (Stride != 0 ? Stride : stride), sizeof(item));
    return item;
  }
};

/// From here on numbers of an integer type say "not observed", or none does: states and those that
/// are none are below.
template <class Item>
inline constexpr uint64_t kFirstNone =
    std::is_signed_v<Item> ? uint64_t{1} << (8 * sizeof(Item) - 1)
                           : uint64_t{std::numeric_limits<std::make_unsigned_t<Item>>::max()};

/// Without a branch: which rows observe a variable is chance.
template <class Code, class Item, size_t Stride>
bool takeIntegers(const Items<Item, Stride> &items, size_t count, uint32_t extent, Code *codes) {
  using Unsigned = std::make_unsigned_t<Item>;
  const auto least = static_cast<Unsigned>(extent),
             span = static_cast<Unsigned>(kFirstNone<Item> - extent);
  Unsigned bad = 0;
  for (size_t i = 0; i < count; ++i) {
    const auto item = static_cast<Unsigned>(items[i]);
    codes[i] = static_cast<Code>(std::min(item, least));
    bad = static_cast<Unsigned>(bad | (static_cast<Unsigned>(item - least) < span));
  }
  return bad == 0;
}

template <class Code, class Item, size_t Stride>
bool takeOneByOne(const Items<Item, Stride> &items, size_t count, uint32_t extent, Code *codes) {
  uint32_t greatest = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t code = codeOf(items[i], extent);
    codes[i] = static_cast<Code>(code);
    greatest = std::max(greatest, code);
  }
  return greatest != kNoCode;
}

template <class Code, class Item, size_t Stride>
bool takeItems(const Items<Item, Stride> &items, size_t count, uint32_t extent, Code *codes) {
  if constexpr (std::is_integral_v<Item>)
    if (extent <= kFirstNone<Item>)
      return takeIntegers(items, count, extent, codes);
  return takeOneByOne(items, count, extent, codes);
}

} // namespace npy_codes

/// The codes of `count` items, `stride` bytes apart. False: there is a number without a code; what
/// stands in its place means nothing.
template <class Code, class Item>
bool takeCodes(const char *first, size_t stride, size_t count, uint32_t extent, Code *codes) {
  using namespace npy_codes;
  return stride == sizeof(Item)
             ? takeItems(Items<Item, sizeof(Item)>{first, stride}, count, extent, codes)
             : takeItems(Items<Item, 0>{first, stride}, count, extent, codes);
}

} // namespace mpf
