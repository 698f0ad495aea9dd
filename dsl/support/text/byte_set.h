// A set of bytes as a table, for scanners that look at nearly every byte of a text.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace mpf {

class ByteSet {
public:
  constexpr explicit ByteSet(std::string_view bytes) { add(bytes); }
  constexpr void add(std::string_view bytes) {
    for (const char c : bytes)
      has_[static_cast<unsigned char>(c)] = true;
  }

  constexpr bool has(char c) const { return has_[static_cast<unsigned char>(c)]; }
  /// Returns the place of the first byte of the set at or behind `at`; the text's size: none.
  constexpr size_t find(std::string_view text, size_t at = 0) const {
    while (at < text.size() && !has(text[at]))
      ++at;
    return at;
  }
  /// The same for a byte that is not in the set.
  constexpr size_t findOther(std::string_view text, size_t at = 0) const {
    while (at < text.size() && has(text[at]))
      ++at;
    return at;
  }

private:
  std::array<bool, 256> has_ = {};
};

} // namespace mpf
