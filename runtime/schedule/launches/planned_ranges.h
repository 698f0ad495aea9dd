// The ranges of inputs that a launch plan was made for. What is proven of wide ranges holds within
// them: a plan is made again only where new values leave them, and then for both, so that a session
// whose values change at every run soon plans no more.
#pragma once

#include "codegen/bundle/table_state.h"

#include <optional>
#include <vector>

namespace mpf {

class PlannedRanges {
public:
  /// Whether a plan has been made, and for ranges that contain these. One state per buffer, always
  /// the same number; scales do not matter.
  bool contain(const std::vector<TableState> &states) const;
  /// With what was there: the ranges to plan for.
  const std::vector<TableState> &widen(const std::vector<TableState> &states);

private:
  std::optional<std::vector<TableState>> states_; ///< none: there is no plan
};

} // namespace mpf
