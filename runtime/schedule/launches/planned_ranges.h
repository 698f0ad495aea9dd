// The ranges of inputs for which a launch plan was made. Proofs for a range hold for every range
// within it. So a plan is made again only when values leave the ranges, and then for old and new
// ones together. A session whose values change in every run soon plans no more.
#pragma once

#include "codegen/bundle/table_state.h"

#include <optional>
#include <vector>

namespace mpf {

class PlannedRanges {
public:
  /// Whether a plan was made for ranges that contain these. `states`: one per buffer, always the
  /// same number; scales do not matter.
  bool contain(const std::vector<TableState> &states) const;
  /// Adds these ranges. Returns the ranges for which to plan.
  const std::vector<TableState> &widen(const std::vector<TableState> &states);

private:
  std::optional<std::vector<TableState>> states_; ///< none: there is no plan
};

} // namespace mpf
