// When copies should begin that may stand beside other work: the choice behind a transfer plan
// (transfer_plan.h).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace mpf {

/// What copies between a host's locked memory and a GPU take. As measured on an H200.
struct CopySpeed {
  double bytesPerUs = 25000;
  double copyUs = 2;  ///< of a copy, whatever its size
  double groupUs = 5; ///< of a group of copies on another stream: two events, and what they hold up

  bool operator==(const CopySpeed &) const = default;
};

/// The same where no copy may stand beside other work: a group is worth no price.
CopySpeed withoutHiding(CopySpeed speed);

/// Bytes that can be copied from some time on.
struct CopyPoint {
  double fromUs = 0;
  double bytes = 0;
};

/// Predicted end of everything: the work takes `workUs`; the points up to each cut are one group,
/// which is copied beside the work when its last point can be, one group behind the other; what is
/// behind the last cut is copied when both the work and the groups have ended. `points` ascend;
/// cuts are numbers of points, ascending, none of them 0. Linear in points and cuts.
double endOfCopiesUs(std::span<const CopyPoint> points, std::span<const size_t> cuts, double workUs,
                     const CopySpeed &speed);

/// Cuts that make it end earliest, found one at a time, each the best beside those before it; none
/// where no group is worth what it costs. Deterministic; at most kMostGroups of them. Time: linear
/// in the points for each cut tried.
inline constexpr size_t kMostGroups = 4;
std::vector<size_t> hideCopies(std::span<const CopyPoint> points, double workUs,
                               const CopySpeed &speed);

} // namespace mpf
