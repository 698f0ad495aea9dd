// Throws Error with a formatted message. Public headers include dsl/support/error.h alone, which needs
// no library.
#pragma once

#include "dsl/support/error.h"

#include <fmt/core.h>
#include <utility>

namespace mpf {

/// Throws Error(kind) with a formatted message: lower-case start, no final full stop.
template <class... Args>
[[noreturn]] void fail(ErrorKind kind, fmt::format_string<Args...> format, Args &&...args) {
  throw Error(kind, fmt::format(format, std::forward<Args>(args)...));
}

} // namespace mpf
