// ENUMERATION: answers a query by its definition. It looks at every joint state of the variables,
// multiplies the entries of the factors, and reduces the products. It has no plan, no messages and
// no kernels, so `mpfc run --verify` and tests compare other engines with it. For tiny models.
#pragma once

#include "runtime/engine/planned_engine.h"

#include <cstdint>
#include <string_view>

namespace mpf {

/// The most joint states that are enumerated for one case.
inline constexpr uint64_t kMostEnumerated = uint64_t{1} << 20;
/// The most entries of factors and answers, which take up to 48 bytes each.
inline constexpr uint64_t kMostEnumeratedEntries = uint64_t{1} << 22;
/// The most look-ups for one case and for a list: seconds and minutes. A joint state takes one for
/// each factor, each table of the answer, and each of their variables.
inline constexpr uint64_t kMostLookUps = uint64_t{1} << 28;
inline constexpr uint64_t kMostListLookUps = uint64_t{1} << 36;

/// Returns why no query is enumerated under these settings, one sentence; empty: some are.
std::string_view enumerationRefusal(const CaseSettings &settings);

/// Returns the number of joint states that an answer to a case looks at, at most; saturates at
/// UINT64_MAX. Throws Error(Unsupported) as checkedSemiring and multipliedOut.
uint64_t enumeratedStates(const Model &model, const Query &query);

/// Plans the enumeration; takes no time. Its numbers have 64 bits of mantissa and separate
/// exponents, so cases whose counts reach 2^64 are refused. Among best assignments of equal value
/// it takes the first, in the order of the model's variables. Throws Error(Unsupported) for work
/// or memory above the bounds, and as checkedSemiring; Error(BadInput) for a query that its
/// type cannot hold, and for factors without values, unless settings.mayBind.
PlannedEngine planEnumeration(const CaseProblem &problem);

} // namespace mpf
