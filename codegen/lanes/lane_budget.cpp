#include "codegen/lanes/lane_budget.h"

#include <limits>

namespace mpf {

namespace {

/// Time of a core to divide an operation: for alarm 8.6 (all marginals) to 10 (evidence). It is
/// several times that where tables over evidence digits are large (munin1: 70), but there cases
/// take longer too.
constexpr double kDivideUs = 10;
/// Time to find another order and to plan with it, for each operation: for alarm 8 to 20.
constexpr double kOrderUs = 15;

} // namespace

double LaneBudget::listUs(const LanePlan &plan) const {
  return predictList_ ? predictList_(plan) : std::numeric_limits<double>::infinity();
}

bool LaneBudget::pays(size_t operations, double listUs) {
  return paysUs(kDivideUs * static_cast<double>(operations), listUs);
}

bool LaneBudget::paysForOrder(size_t operations, double listUs) {
  return paysUs((kOrderUs + kDivideUs) * static_cast<double>(operations), listUs);
}

bool LaneBudget::paysUs(double priceUs, double listUs) {
  if (stop_.now())
    return false;
  if (priceUs <= freeUs_) {
    freeUs_ -= priceUs;
    return true;
  }
  constexpr double kOneList = 1;
  if (!budget_)
    budget_.emplace(listUs, kOneList);
  return budget_->pay(priceUs, listUs);
}

} // namespace mpf
