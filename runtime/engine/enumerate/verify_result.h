// `mpfc run --verify` over a tiny model: compares a result with the enumeration of its query.
#pragma once

#include "dsl/model/model.h"
#include "runtime/result/result.h"

#include <cstdint>
#include <optional>

namespace mpf {

/// The most joint states of a query whose results are compared.
inline constexpr uint64_t kMostVerified = uint64_t{1} << 14;

/// Compares a result of `query` of `model`, which has one case and its values, with the
/// enumeration: tables, and the value of the best assignment. Returns the number of joint states.
/// None: nothing was compared. That is so for more than kMostVerified states or 256 variables, and
/// for large tables. Factors without values or with values below 0, whose sums may cancel, and
/// counts of 2^64 or more are not compared either. Throws Error(Verification) with both numbers if
/// they differ by more than rounding (runtime/result/compare.h).
std::optional<uint64_t> verifyResult(const Model &model, const Query &query, const Result &result);

} // namespace mpf
