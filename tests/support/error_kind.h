// Which error a call ends with.
#pragma once

#include "dsl/support/error.h"

#include <functional>

namespace mpf {

/// ErrorKind::Internal where it does not throw: no test expects that one.
inline ErrorKind errorKindOf(const std::function<void()> &call) {
  try {
    call();
  } catch (const Error &error) {
    return error.kind();
  }
  return ErrorKind::Internal;
}

} // namespace mpf
