#include "codegen/plan/order/order_anneal.h"

#include "dsl/support/check.h"
#include "dsl/support/split_mix.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace mpf {

namespace {

constexpr size_t kThresholds = 256;
/// Rotations that change no cost are accepted; costs that differ only by rounding count as equal.
constexpr double kTie = 1 + 1e-9;
/// Buckets below this share of the whole cost are not rotated down.
constexpr double kActiveShare = 1.0 / (1 << 20);

/// The number u of index i that a step may draw.
double uniform(size_t i) { return (static_cast<double>(i) + 0.5) / kThresholds; }

const std::array<double, kThresholds> &logs() {
  static const std::array<double, kThresholds> kLogs = [] {
    std::array<double, kThresholds> list;
    for (size_t i = 0; i < list.size(); ++i)
      list[i] = std::log(uniform(i));
    return list;
  }();
  return kLogs;
}

} // namespace

AnnealingWalk::AnnealingWalk(const OrderProblem &problem, const std::vector<Vertex> &start,
                             const AnnealingSchedule &schedule, uint64_t seed)
    : schedule_(schedule), tree_(problem, start), state_(seed) {
  MPF_CHECK(schedule.hot > 0 && schedule.cold > 0 && schedule.cold <= schedule.hot,
            "a schedule that cools from {} to {}", schedule.hot, schedule.cold);
}

void AnnealingWalk::chooseActive() {
  active_.clear();
  const double least = tree_.cost() * kActiveShare;
  for (const Vertex v : tree_.eliminated()) {
    const Vertex parent = tree_.parent(v);
    if (parent != EliminationTree::kNoVertex && tree_.nodeCost(parent) >= least)
      active_.push_back(v);
  }
}

/// A power takes as long as a rotation, so u^-T = e^x with x = -T ln u >= 0 is bounded first. The
/// bounds are e^x >= 1 + x + x^2/2 + x^3/6 and e^-x >= 1 - x + x^2/2 - x^3/6. The margin is far
/// above the rounding of either side, so the result is that of the power.
bool AnnealingWalk::accepts(const EliminationTree::Rotation &rotation, size_t i) const {
  constexpr double kMargin = 1e-9;
  if (rotation.after <= rotation.before * kTie)
    return true;
  const double x = -temperature_ * logs()[i];
  const double atLeast = 1 + x * (1 + x * (0.5 + x / 6));
  if (rotation.after <= rotation.before * kTie * atLeast * (1 - kMargin))
    return true;
  const double inverseAtLeast = 1 - x * (1 - x * (0.5 - x / 6));
  if (rotation.after * inverseAtLeast > rotation.before * kTie * (1 + kMargin))
    return false;
  return rotation.after <= rotation.before * (kTie * std::pow(uniform(i), -temperature_));
}

bool AnnealingWalk::nextTemperature() {
  if (temperaturesDone_ >= schedule_.temperatures)
    return false;
  const double progress = schedule_.temperatures < 2 ? 1
                                                     : static_cast<double>(temperaturesDone_) /
                                                           (schedule_.temperatures - 1);
  temperature_ = schedule_.hot * std::pow(schedule_.cold / schedule_.hot, progress);
  chooseActive();
  for (size_t i = 0; i < active_.size(); ++i) {
    const uint64_t draw = nextRandom(state_);
    const Vertex child = active_[(draw >> 32) % active_.size()];
    if (tree_.parent(child) == EliminationTree::kNoVertex)
      continue;
    const EliminationTree::Rotation rotation = tree_.tryRotation(child);
    if (accepts(rotation, draw % kThresholds))
      tree_.rotate(rotation);
  }
  tree_.sumCosts();
  ++temperaturesDone_;
  return temperaturesDone_ < schedule_.temperatures;
}

} // namespace mpf
