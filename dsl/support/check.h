// Ends an action that cannot go on: fail() for what a user did, MPF_CHECK for invariants, also in
// release builds. A failed check is a bug of mpf: it throws Error(Internal) with the place in the
// C++ source. Public headers include dsl/support/error.h alone, which needs no library.
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

namespace mpf::detail {
[[noreturn]] void checkFailed(const char *file, int line, const char *condition,
                              const std::string &message);
}

/// MPF_CHECK(condition, "format", args...) throws unless `condition` holds. The message should give
/// both values that disagree.
#define MPF_CHECK(condition, ...)                                                                  \
  do {                                                                                             \
    if (!(condition)) [[unlikely]]                                                                 \
      ::mpf::detail::checkFailed(__FILE__, __LINE__, #condition, ::fmt::format(__VA_ARGS__));      \
  } while (false)

/// MPF_UNREACHABLE("format", args...) throws; for code that no sound input reaches.
#define MPF_UNREACHABLE(...)                                                                       \
  ::mpf::detail::checkFailed(__FILE__, __LINE__, "unreachable", ::fmt::format(__VA_ARGS__))
