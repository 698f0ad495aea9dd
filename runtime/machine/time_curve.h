// TIME CURVE: what a machine takes for what a model predicts, by the size of the prediction. It
// corrects a model that knows how kernels compare, but not the machine: small operations take
// longer than their arithmetic, large ones as long as the machine's memory lets them.
#pragma once

#include <span>
#include <vector>

namespace mpf {

struct TimePoint {
  double modelUs = 0, timeUs = 0;
  bool operator==(const TimePoint &) const = default;
};

/// Both coordinates positive, `modelUs` ascending, `timeUs` never falling (verify). Between points
/// the logarithm of the time is linear in that of the model's; beyond them, below the first point,
/// the time is that of the first, above the last it grows with the model's.
class TimeCurve {
public:
  TimeCurve() = default; ///< the model's own times
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
  double weight = 1; ///< how much it counts beside others
};

/// The curve through what was measured: a point for each half decade of the model's times that has
/// at least `least` observations, at the weighted medians of the model's times and of the measured
/// times over them; where a time would fall, neighbours are pooled (isotonic regression). Nothing
/// measured: the model's own times.
TimeCurve fitCurve(std::span<const MeasuredPoint> measured, size_t least = 3);

} // namespace mpf
