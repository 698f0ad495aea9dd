#include "tests/oracle/edge/edge_tolerance.h"

#include <algorithm>
#include <cmath>

namespace mpf::oracle {

namespace {

/// Returns the joint range of the values of the query's factors, in log form: the sum of each
/// factor's distance of greatest and least exponent.
double spreadOf(const Model &model, const Query &query) {
  double spread = 0;
  for (const FactorId id : query.factors) {
    int least = 2000, greatest = -2000;
    for (const double value : *model.factor(id).values)
      if (value != 0 && std::isfinite(value)) {
        least = std::min(least, std::ilogb(value));
        greatest = std::max(greatest, std::ilogb(value));
      }
    spread += greatest < least ? 0 : greatest - least + 1;
  }
  return spread;
}

/// Magnitudes of the finite values: the sum of each factor's greatest one, and the greatest of all.
struct Costs {
  ExactNumber sum, greatest;
};

Costs costsOf(const Model &model, const Query &query) {
  Costs costs;
  for (const FactorId id : query.factors) {
    ExactNumber most;
    for (const double value : *model.factor(id).values)
      if (std::isfinite(value))
        most = std::max(most, ExactNumber::fromDouble(std::abs(value)));
    costs.greatest = std::max(costs.greatest, most);
    costs.sum += most;
  }
  return costs;
}

} // namespace

// Products: a table in log form stores log2 of an entry relative to the table's greatest. With some
// ten factors of the whole range of f64 that is up to 2^14, known to half an ulp. An error of x in
// log2 is one of 0.7 x in the number. The floor of 1e-11 is four times that in f64. In f32 only
// models of ordinary range stay below 1e-4, so the spread of the model's values counts too.
//
// Sums of costs: every addition rounds, and the terms may cancel. Rounding is relative to the
// greatest sum of magnitudes that the entry is chosen from. Least numbers: a table of costs of
// 1e308 may have to halve them to add them, which loses the last bits of subnormal ones. In f32
// costs may be stored relative to the greatest, and 2^-80 of that is then below its range.
//
// Logs: rounding is relative to the greatest log of a table, not of the entry. A log-sum is
// computed as a sum, whose relative error is an absolute one of its logarithm.
Tolerance::Tolerance(const Model &model, const Query &query, ElementType type) {
  const bool f32 = type == ElementType::F32;
  const double floor = f32 ? 1e-4 : 1e-11;
  const double unitRoundoff = f32 ? 0x1p-24 : 0x1p-53;
  if (query.combine == Combine::Times) {
    relative_ = ExactNumber::fromDouble(std::max(floor, 8 * unitRoundoff * spreadOf(model, query)));
    return;
  }
  relative_ = ExactNumber::fromDouble(floor);
  const Costs costs = costsOf(model, query);
  if (!query.reductions.empty() && query.reductions.front().reduce == Reduce::LogSum) {
    absolute_ = relative_ * (costs.sum + ExactNumber::powerOfTwo(0));
    return;
  }
  absolute_ = ExactNumber::fromDouble(5e-324).shifted(4);
  if (f32)
    absolute_ += costs.greatest.shifted(-80);
}

ExactNumber Tolerance::of(const ExactEntry &entry) const {
  return relative_ * entry.magnitude + absolute_;
}

bool Tolerance::isDoubtful(const ExactEntry &entry) const {
  return !entry.zero && entry.value.abs() <= relative_ * entry.magnitude.shifted(6);
}

} // namespace mpf::oracle
