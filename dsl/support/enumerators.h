// Whether a value of an enumeration has an enumerator, known at compile time.
#pragma once

#include <string_view>

namespace mpf {

/// Reads the answer from the function's name. GCC and Clang spell a template argument as its
/// enumerator, "[V = mpf::Kind::Best]", or as a cast if there is none, "[with auto V =
/// (mpf::Kind)7]".
template <auto V> constexpr bool isEnumerator() {
  constexpr std::string_view spelled = __PRETTY_FUNCTION__;
  return spelled[spelled.find("V = ") + 4] != '(';
}

} // namespace mpf
