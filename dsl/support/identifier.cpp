#include "dsl/support/identifier.h"

#include <algorithm>

namespace mpf {

bool isIdentifier(std::string_view name) {
  constexpr size_t kMostBytes = 64;
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  const auto isWord = [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || isDigit(c);
  };
  return !name.empty() && name.size() <= kMostBytes && !isDigit(name.front()) &&
         std::all_of(name.begin(), name.end(), isWord);
}

} // namespace mpf
