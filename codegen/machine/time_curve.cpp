#include "codegen/machine/time_curve.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace mpf {

namespace {

struct Weighted {
  double value = 0, weight = 1;
};

/// Returns the smallest value whose weight, with that of all smaller values, is half of the total.
double weightedMedian(std::vector<Weighted> of) {
  std::ranges::sort(of, {}, &Weighted::value);
  double all = 0, below = 0;
  for (const Weighted &each : of)
    all += each.weight;
  for (const Weighted &each : of)
    if (below += each.weight; 2 * below >= all)
      return each.value;
  return of.back().value;
}

} // namespace

double TimeCurve::timeUs(double modelUs) const {
  if (points_.empty())
    return modelUs;
  if (modelUs <= points_.front().modelUs)
    return points_.front().timeUs;
  const auto after =
      std::find_if(points_.begin(), points_.end(),
                   [modelUs](const TimePoint &point) { return point.modelUs >= modelUs; });
  if (after == points_.end())
    return points_.back().timeUs * modelUs / points_.back().modelUs;
  const TimePoint &high = *after, &low = *(after - 1);
  const double share = std::log(modelUs / low.modelUs) / std::log(high.modelUs / low.modelUs);
  return low.timeUs * std::pow(high.timeUs / low.timeUs, share);
}

bool TimeCurve::isSound() const {
  for (size_t i = 0; i < points_.size(); ++i) {
    const TimePoint &point = points_[i];
    if (!(point.modelUs > 0) || !(point.timeUs > 0) || !std::isfinite(point.modelUs) ||
        !std::isfinite(point.timeUs))
      return false;
    if (i > 0 && (point.modelUs <= points_[i - 1].modelUs || point.timeUs < points_[i - 1].timeUs))
      return false;
  }
  return true;
}

TimeCurve fitCurve(std::span<const MeasuredPoint> measured, size_t least) {
  struct Class {
    std::vector<Weighted> modelUs, factors; ///< factors: measured time over the model's
    double weight = 0;
  };
  std::map<long, Class> classes; // by half decade
  for (const MeasuredPoint &point : measured)
    if (point.modelUs > 0 && point.timeUs > 0 && point.weight > 0) {
      Class &of = classes[std::lround(2 * std::log10(point.modelUs))];
      of.modelUs.push_back({point.modelUs, point.weight});
      of.factors.push_back({point.timeUs / point.modelUs, point.weight});
      of.weight += point.weight;
    }
  struct Pool {
    TimePoint point;
    double weight = 0;
    std::vector<double> modelUs; // the model's times of the classes in this pool
  };
  std::vector<Pool> pools;
  for (auto &[decade, of] : classes) {
    if (of.factors.size() < least)
      continue;
    const double modelUs = weightedMedian(std::move(of.modelUs));
    const double timeUs = modelUs * weightedMedian(std::move(of.factors));
    pools.push_back({{modelUs, timeUs}, of.weight, {modelUs}});
    while (pools.size() > 1 && pools.back().point.timeUs < pools[pools.size() - 2].point.timeUs) {
      Pool last = std::move(pools.back());
      pools.pop_back();
      Pool &into = pools.back();
      const double weight = into.weight + last.weight;
      into.point.timeUs = std::exp(
          (into.weight * std::log(into.point.timeUs) + last.weight * std::log(last.point.timeUs)) /
          weight);
      into.weight = weight;
      into.modelUs.insert(into.modelUs.end(), last.modelUs.begin(), last.modelUs.end());
    }
  }
  std::vector<TimePoint> points;
  for (const Pool &pool : pools)
    for (const double modelUs : pool.modelUs)
      points.push_back({modelUs, pool.point.timeUs});
  return TimeCurve(std::move(points));
}

} // namespace mpf
