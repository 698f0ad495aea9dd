// Whether a value of an enumeration has an enumerator, as the compiler tells while it compiles.
#pragma once

#include <string_view>

namespace mpf {

/// GCC and Clang spell a template argument by its enumerator, and as a cast if there is none:
/// "[V = mpf::Kind::Best]", "[with auto V = (mpf::Kind)7]".
template <auto V> constexpr bool isEnumerator() {
  constexpr std::string_view spelled = __PRETTY_FUNCTION__;
  return spelled[spelled.find("V = ") + 4] != '(';
}

} // namespace mpf
