// TIME CURVE: maps times of a cost model to times of a machine. The model compares kernels, but
// does not know the machine: small operations take longer than their arithmetic, and memory limits
// large ones.
#pragma once

#include <span>
#include <vector>

namespace mpf {

struct TimePoint {
  double modelUs = 0, timeUs = 0;
  bool operator==(const TimePoint &) const = default;
};

/// A curve through points with positive coordinates, `modelUs` ascending, `timeUs` never falling
/// (isSound).
/// - Between two points, log(timeUs) is linear in log(modelUs).
/// - Below the first point, the time is that of the first.
/// - Above the last point, the time is proportional to the model's.
class TimeCurve {
public:
  TimeCurve() = default; ///< the identity: times of the model
  explicit TimeCurve(std::vector<TimePoint> points) : points_(std::move(points)) {}

  double timeUs(double modelUs) const;
  std::span<const TimePoint> points() const { return points_; }
  bool isSound() const;
  bool operator==(const TimeCurve &) const = default;

private:
  std::vector<TimePoint> points_;
};

struct MeasuredPoint {
  double modelUs = 0, timeUs = 0;
  double weight = 1; ///< weight in the fit, relative to other points
};

/// Fits a curve to measured points. It has a point for each half decade of the model's times with
/// at least `least` measurements. The point lies at the weighted medians of the model's times and
/// of the ratios of measured times to these. Where a time would fall, neighbours are pooled
/// (isotonic regression). Without measurements, the curve is the identity.
TimeCurve fitCurve(std::span<const MeasuredPoint> measured, size_t least = 3);

} // namespace mpf
