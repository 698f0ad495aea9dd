// Programs of bundles that are verified as they are, so that mpf verifies each bundle once.
#pragma once

#include "runtime/api/session.h"

#include <memory>
#include <string>

namespace mpf {

/// Makes programs without verifying their bundles. Host programs cannot: Program verifies.
struct VerifiedPrograms {
  /// `bundle` comes from Pipeline::compile, which has verified it.
  static Program of(std::shared_ptr<const Bundle> bundle);
};

/// Returns the program of a bundle that was read from the file `name`: its kernels are compared
/// with ours, or taken as they are with LoadOptions::trust.
Program loadedProgram(Bundle bundle, const std::string &name, const LoadOptions &options);

} // namespace mpf
