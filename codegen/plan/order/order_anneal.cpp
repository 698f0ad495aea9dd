#include "codegen/plan/order/order_anneal.h"

#include "dsl/support/check.h"
#include "dsl/support/split_mix.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {

constexpr size_t kThresholds = 256;
/// Rotations that change no cost are accepted; costs that differ only by rounding count as equal.
constexpr double kTie = 1 + 1e-9;
/// Buckets below this share of the whole cost are not rotated down.
constexpr double kActiveShare = 1.0 / (1 << 20);

} // namespace

AnnealingWalk::AnnealingWalk(const OrderProblem &problem, const std::vector<Vertex> &start,
                             const AnnealingSchedule &schedule, uint64_t seed)
    : schedule_(schedule), tree_(problem, start), state_(seed) {
  MPF_CHECK(schedule.hot > 0 && schedule.cold > 0 && schedule.cold <= schedule.hot,
            "a schedule that cools from {} to {}", schedule.hot, schedule.cold);
}

void AnnealingWalk::chooseActive() {
  active_.clear();
  const double least = tree_.cost().operations * kActiveShare;
  for (const Vertex v : tree_.eliminated()) {
    const Vertex parent = tree_.parent(v);
    if (parent != EliminationTree::kNoVertex && tree_.nodeCost(parent).operations >= least)
      active_.push_back(v);
  }
}

/// Computed when first needed: small networks use few of them at a temperature, and a power takes
/// as long as a rotation.
double AnnealingWalk::threshold(size_t i) {
  if (thresholds_[i] == 0)
    thresholds_[i] = kTie * std::pow((static_cast<double>(i) + 0.5) / kThresholds, -temperature_);
  return thresholds_[i];
}

bool AnnealingWalk::nextTemperature() {
  if (temperaturesDone_ >= schedule_.temperatures)
    return false;
  const double progress = schedule_.temperatures < 2 ? 1
                                                     : static_cast<double>(temperaturesDone_) /
                                                           (schedule_.temperatures - 1);
  temperature_ = schedule_.hot * std::pow(schedule_.cold / schedule_.hot, progress);
  thresholds_.assign(kThresholds, 0);
  chooseActive();
  for (size_t i = 0; i < active_.size(); ++i) {
    const uint64_t draw = nextRandom(state_);
    const Vertex child = active_[(draw >> 32) % active_.size()];
    if (tree_.parent(child) == EliminationTree::kNoVertex)
      continue;
    const EliminationTree::Rotation rotation = tree_.tryRotation(child);
    const double before = rotation.before.operations, after = rotation.after.operations;
    if (after <= before * kTie || after <= before * threshold(draw % kThresholds))
      tree_.rotate(rotation);
  }
  tree_.sumCosts();
  ++temperaturesDone_;
  return temperaturesDone_ < schedule_.temperatures;
}

} // namespace mpf
