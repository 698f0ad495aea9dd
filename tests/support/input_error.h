// The message of an error about bad input.
#pragma once

#include "dsl/support/error.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>

namespace mpf {

/// Returns the message of the error that `action` throws; empty if it throws none. Expects an error
/// about bad input.
inline std::string inputErrorOf(const std::function<void()> &action) {
  try {
    action();
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    return error.what();
  }
  return {};
}

} // namespace mpf
