// Programs of bundles that are verified as they are, so that mpf verifies each bundle once.
#pragma once

#include "runtime/api/session.h"

#include <memory>

namespace mpf {

/// Makes programs without verifying their bundles. Host programs cannot: Program verifies.
struct VerifiedPrograms {
  /// `bundle` comes from Pipeline::compile, which has verified it.
  static Program of(std::shared_ptr<const Bundle> bundle);
};

} // namespace mpf
