// Checks of invariants, also in release builds. A failed check is a bug of mpf: it throws
// Error(Internal) with the place in the C++ source.
#pragma once

#include "dsl/support/fail.h"

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

/// MPF_UNREACHABLE("format", args...) throws. For code that no sound input reaches.
#define MPF_UNREACHABLE(...)                                                                       \
  ::mpf::detail::checkFailed(__FILE__, __LINE__, "unreachable", ::fmt::format(__VA_ARGS__))
