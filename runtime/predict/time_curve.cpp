#include "runtime/predict/time_curve.h"

#include "dsl/support/median.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace mpf {

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

TimeCurve fitCurve(std::span<const TimePoint> measured, size_t least) {
  struct Class {
    std::vector<double> modelUs, factors; ///< measured over the model's time
  };
  std::map<long, Class> classes; // by half decade
  for (const TimePoint &point : measured)
    if (point.modelUs > 0 && point.timeUs > 0) {
      Class &of = classes[std::lround(2 * std::log10(point.modelUs))];
      of.modelUs.push_back(point.modelUs);
      of.factors.push_back(point.timeUs / point.modelUs);
    }
  struct Pool {
    TimePoint point;
    double weight = 0;
    std::vector<double> modelUs; // of its classes
  };
  std::vector<Pool> pools;
  for (auto &[decade, of] : classes) {
    if (of.factors.size() < least)
      continue;
    const double modelUs = median(of.modelUs), timeUs = modelUs * median(of.factors);
    pools.push_back({{modelUs, timeUs}, static_cast<double>(of.factors.size()), {modelUs}});
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
