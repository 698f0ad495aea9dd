#include "codegen/lanes/lane_budget.h"

namespace mpf {

namespace {

/// Of a core, for each operation: of alarm 8.6 (all marginals) to 10 (evidence). Where tables over
/// evidence digits are large, several times that (munin1: 70), but cases take the longer there.
constexpr double kDivideUs = 10;
/// To find another order and to plan by it, for each operation: of alarm 8 to 20.
constexpr double kOrderUs = 15;

} // namespace

bool LaneBudget::pays(size_t operations, double laneCost) {
  return paysUs(kDivideUs * static_cast<double>(operations), laneCost);
}

bool LaneBudget::paysForOrder(size_t operations, double laneCost) {
  return paysUs((kOrderUs + kDivideUs) * static_cast<double>(operations), laneCost);
}

bool LaneBudget::paysUs(double priceUs, double laneCost) {
  if (priceUs <= freeUs_) {
    freeUs_ -= priceUs;
    return true;
  }
  const double caseUs = multiplyAddUs_ * laneCost;
  if (!budget_)
    budget_.emplace(caseUs, expectedCases_);
  return budget_->pay(priceUs, caseUs);
}

} // namespace mpf
