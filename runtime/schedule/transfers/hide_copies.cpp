#include "runtime/schedule/transfers/hide_copies.h"

#include <algorithm>
#include <limits>

namespace mpf {

CopySpeed withoutHiding(CopySpeed speed) {
  speed.groupUs = std::numeric_limits<double>::max();
  return speed;
}

namespace {

/// Prefix sums of bytes, for a quick look at each choice of cuts.
class Copies {
public:
  Copies(std::span<const CopyPoint> points, double workUs, const CopySpeed &speed)
      : points_(points), workUs_(workUs), speed_(speed), bytes_(1, 0) {
    for (const CopyPoint &point : points)
      bytes_.push_back(bytes_.back() + point.bytes);
  }

  double endUs(std::span<const size_t> cuts) const {
    double copiedUs = 0;
    size_t first = 0;
    for (const size_t cut : cuts) {
      copiedUs = std::max(copiedUs, points_[cut - 1].fromUs) + copyUs(first, cut);
      first = cut;
    }
    return std::max(workUs_, copiedUs) + copyUs(first, points_.size()) +
           speed_.groupUs * static_cast<double>(cuts.size());
  }

private:
  double copyUs(size_t first, size_t end) const {
    return first == end ? 0 : speed_.copyUs + (bytes_[end] - bytes_[first]) / speed_.bytesPerUs;
  }

  std::span<const CopyPoint> points_;
  const double workUs_;
  const CopySpeed speed_;
  std::vector<double> bytes_; ///< sum of bytes before each point
};

} // namespace

double endOfCopiesUs(std::span<const CopyPoint> points, std::span<const size_t> cuts, double workUs,
                     const CopySpeed &speed) {
  return Copies(points, workUs, speed).endUs(cuts);
}

std::vector<size_t> hideCopies(std::span<const CopyPoint> points, double workUs,
                               const CopySpeed &speed) {
  const Copies copies(points, workUs, speed);
  std::vector<size_t> best;
  double bestUs = copies.endUs(best);
  for (bool better = true; better && best.size() < kMostGroups;) {
    better = false;
    const std::vector<size_t> sofar = best;
    for (size_t cut = 1; cut <= points.size(); ++cut) {
      if (std::ranges::binary_search(sofar, cut))
        continue;
      std::vector<size_t> tried = sofar;
      tried.insert(std::ranges::lower_bound(tried, cut), cut);
      if (const double us = copies.endUs(tried); us < bestUs) {
        best = std::move(tried);
        bestUs = us;
        better = true;
      }
    }
  }
  return best;
}

} // namespace mpf
