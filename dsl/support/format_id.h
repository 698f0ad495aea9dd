// Formats ids with fmt. It is apart from dsl/support/ids.h, which public headers include.
#pragma once

#include "dsl/support/ids.h"

#include <charconv>
#include <fmt/core.h>

/// "{}" prints the number. It does not use fmt's formatter of integers, which needs the large
/// header fmt/format.h and has different names in the libraries of gcc and clang.
template <class Tag> struct fmt::formatter<mpf::Id<Tag>> {
  constexpr auto parse(format_parse_context &context) { return context.begin(); }
  template <class Context> auto format(mpf::Id<Tag> id, Context &context) const {
    char digits[10];
    const auto printed = std::to_chars(digits, digits + sizeof digits, id.value);
    auto out = context.out();
    for (const char *digit = digits; digit != printed.ptr; ++digit)
      *out++ = *digit;
    return out;
  }
};
