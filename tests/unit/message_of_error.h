// The message of an error with which a call must end.
#pragma once

#include "dsl/support/error.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>

namespace mpf {

/// Returns the message; a failure of the test if nothing, or another kind of error, is thrown.
inline std::string messageOfError(ErrorKind kind, const std::function<void()> &call) {
  try {
    call();
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return {};
}

} // namespace mpf
