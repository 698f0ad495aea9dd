// Changes that options make to the program of a bundle that was read. --observe sets states of
// variables that it observes, -D and --data set entries of its factors, and --query names those of
// its queries that are answered.
#pragma once

#include "runtime/api/session.h"
#include "tools/mpfc/options/options.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace mpf::driver {

struct BundleChanges {
  std::vector<std::pair<std::string, uint32_t>> states;                   ///< by variable
  std::vector<std::pair<std::string, std::vector<ScaledNumber>>> entries; ///< by factor
  std::vector<std::string> queries; ///< those that are answered

  /// Throws Error(Usage) if a factor has no values, here and in the bundle.
  void requireValues(const Bundle &bundle) const;
  bool answers(const std::string &query) const;
  void apply(Session &session) const;
};

/// Reads the options in the words of a model, prints notes, and throws Error(Usage or BadInput),
/// with the reason, for what the program cannot change.
BundleChanges bundleChanges(const Program &program, const Options &options);

/// Checks options for a bundle that answers lists of cases. Throws Error(Usage) for those that
/// change a program, as the rows set what it can change, and for those that need a model. Warns of
/// --verify.
void checkListOptions(const Options &options);

} // namespace mpf::driver
