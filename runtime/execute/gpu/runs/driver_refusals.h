// Refusals of a GPU's driver. A refusal is permanent, so nothing is tried twice.
#pragma once

namespace mpf {

struct DriverRefusals {
  bool graphs = false;            ///< to record graphs
  bool guards = false;            ///< graphs with a branch
  bool overlapInBranches = false; ///< overlapping launches in branches
};

} // namespace mpf
