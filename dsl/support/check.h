// Invariants that are always on. A failed check is our bug: Error(Internal) with the C++ place.
#pragma once

#include "dsl/support/error.h"

namespace mpf::detail {
[[noreturn]] void checkFailed(const char *file, int line, const char *condition,
                              const std::string &message);
}

/// MPF_CHECK(condition, "format", args...): the message names both sides of the broken invariant.
#define MPF_CHECK(condition, ...)                                                                  \
  do {                                                                                             \
    if (!(condition)) [[unlikely]]                                                                 \
      ::mpf::detail::checkFailed(__FILE__, __LINE__, #condition, ::fmt::format(__VA_ARGS__));      \
  } while (false)

/// MPF_UNREACHABLE("why this cannot happen")
#define MPF_UNREACHABLE(...)                                                                       \
  ::mpf::detail::checkFailed(__FILE__, __LINE__, "unreachable", ::fmt::format(__VA_ARGS__))
