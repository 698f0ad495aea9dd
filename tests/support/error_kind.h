// The kind of error with which a call ends.
#pragma once

#include "dsl/support/error.h"

#include <functional>

namespace mpf {

/// Returns the kind of the error; ErrorKind::Internal, which no test expects, if nothing is thrown.
inline ErrorKind errorKindOf(const std::function<void()> &call) {
  try {
    call();
  } catch (const Error &error) {
    return error.kind();
  }
  return ErrorKind::Internal;
}

} // namespace mpf
