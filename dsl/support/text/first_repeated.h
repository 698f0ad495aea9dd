// Finds a text that occurs twice, such as a name in a list of names.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace mpf {

/// Returns the index of the first text that equals an earlier one; `count` if there is none.
/// `textOf(i)` returns text i < count as a std::string_view. Takes time linear in the texts, which
/// are not copied, and 16 to 32 bytes for each.
template <class TextOf> size_t firstRepeated(size_t count, const TextOf &textOf) {
  constexpr size_t kFree = SIZE_MAX;
  std::vector<size_t> slots(std::bit_ceil(2 * count + 1), kFree); // indices, by hash
  for (size_t i = 0; i < count; ++i) {
    const std::string_view text = textOf(i);
    size_t at = std::hash<std::string_view>()(text) & (slots.size() - 1);
    for (; slots[at] != kFree; at = (at + 1) & (slots.size() - 1))
      if (textOf(slots[at]) == text)
        return i;
    slots[at] = i;
  }
  return count;
}

} // namespace mpf
