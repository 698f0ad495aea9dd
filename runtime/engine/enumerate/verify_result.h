// `mpfc run --verify` over a tiny model: compares a result with the enumeration of its query.
#pragma once

#include "dsl/model/model.h"
#include "runtime/result/result.h"

#include <cstdint>
#include <optional>
#include <string>

namespace mpf {

/// The most joint states of a query whose results are compared.
inline constexpr uint64_t kMostVerified = uint64_t{1} << 14;

struct VerifiedResult {
  uint64_t states = 0; ///< joint states of the query
  std::string leftOut; ///< why the result was not compared; empty: it was
};

/// Compares a result of `query` of `model`, which has one case and its values, with the
/// enumeration: tables, and the value of the best assignment. Returns none if the model is not
/// tiny: more than kMostVerified states or 256 variables, or large tables. Results are left out if
/// a factor has no values or values below 0, whose sums may cancel, and for counts of 2^64 or more.
/// Throws Error(Verification) with both numbers if they differ by more than rounding
/// (runtime/result/compare.h).
std::optional<VerifiedResult> verifyResult(const Model &model, const Query &query,
                                           const Result &result);

} // namespace mpf
