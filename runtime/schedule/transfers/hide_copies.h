// Chooses which copies overlap other work, and when they begin, for a transfer plan
// (transfer_plan.h).
#pragma once

#include "codegen/machine/gpu_speed.h"

#include <cstddef>
#include <span>
#include <vector>

namespace mpf {

/// Returns the speed with an infinite price of groups, so that no copy overlaps other work.
CopySpeed withoutHiding(CopySpeed speed);

/// Bytes that can be copied from a time on.
struct CopyPoint {
  double fromUs = 0;
  double bytes = 0;
};

/// Returns the predicted end of work and copies. The work takes `workUs`. `points`: ascending.
/// `cuts`: numbers of points, ascending, none of them 0. The points between two cuts are one group.
/// A group is copied during the work, after the group before, when its last point is ready. Points
/// after the last cut are copied when work and groups have ended. Linear in points and cuts.
double endOfCopiesUs(std::span<const CopyPoint> points, std::span<const size_t> cuts, double workUs,
                     const CopySpeed &speed);

/// Returns cuts for an early end; none if no group pays. They are found one at a time, each the
/// best addition to those before. Deterministic; at most kMostGroups cuts. Time: linear in the
/// points for each cut tried.
inline constexpr size_t kMostGroups = 4;
std::vector<size_t> hideCopies(std::span<const CopyPoint> points, double workUs,
                               const CopySpeed &speed);

} // namespace mpf
