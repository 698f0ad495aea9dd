// Converts numbers of an array to codes of states (dsl/support/cases/case_block.h). The meaning of
// NaN, negative numbers and the largest number of an unsigned type is in npy_cases.h.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace mpf {

/// The code of a number that is no state and does not mean "not observed".
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

/// Items at distances of `stride` bytes. A Stride other than 0 equals it and lets the compiler
/// vectorise.
template <class Item, size_t Stride> struct Items {
  const char *first;
  size_t stride;

  Item operator[](size_t i) const {
    Item item;
    std::memcpy(&item, first + i * (Stride != 0 ? Stride : stride), sizeof(item));
    return item;
  }
};

/// The least number of an integer type, as unsigned, that can mean "not observed". Smaller numbers
/// are states or wrong.
template <class Item>
inline constexpr uint64_t kFirstNone =
    std::is_signed_v<Item> ? uint64_t{1} << (8 * sizeof(Item) - 1)
                           : uint64_t{std::numeric_limits<std::make_unsigned_t<Item>>::max()};

/// Converts integers without branches: a CPU could not predict which rows observe a variable.
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

/// Sets the codes of `count` items at distances of `stride` bytes. Returns false if a number has no
/// code; the code of such a number is undefined.
template <class Code, class Item>
bool takeCodes(const char *first, size_t stride, size_t count, uint32_t extent, Code *codes) {
  using namespace npy_codes;
  return stride == sizeof(Item)
             ? takeItems(Items<Item, sizeof(Item)>{first, stride}, count, extent, codes)
             : takeItems(Items<Item, 0>{first, stride}, count, extent, codes);
}

} // namespace mpf
