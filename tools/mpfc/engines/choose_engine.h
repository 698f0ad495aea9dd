// Which engine answers the cases of a query: the first of these that can.
//
// 1. Lanes (lane_engine.h): sums and maxima of products in f32 and f64, in linear arithmetic. Every
//    case is computed by itself, beside others, in a lane of a vector register or a thread of a
//    GPU; what no case changes is computed once.
// 2. Tables (table_engine.h): the same queries where the result is one table (not marginals, not
//    best), also in whole numbers (u64, u128), in forced logarithms and with --verify. The cases
//    are the values of one variable more, so that a run of an ordinary program answers many.
// 3. Single runs (single_engine.h): every query. They are left for minima, sums of costs and
//    logsum, for marginals and best where 1 is out, and where the tables of 1 and 2 exceed the
//    memory bound.
#pragma once

#include "dsl/model/model.h"
#include "dsl/support/cases/case_source.h"
#include "tools/mpfc/cases/case_engine.h"
#include "tools/mpfc/options/options.h"

#include <string_view>
#include <vector>

namespace mpf::driver {

enum class CaseEngineKind { Lanes, Tables, Single };

/// The engines that a run asks, in this order: the first that can answers (cases/first_engine.h).
std::vector<CaseEngineKind> enginesFor(const Options &options);

std::string_view engineName(CaseEngineKind kind); ///< "lanes", "tables", "single runs"

/// An EngineMaker (cases/run_cases.h). Throws as planning does;
/// Error(BadInput) for factors that a host program should bind.
CaseEngine makeCaseEngine(const Model &model, const CaseSource &cases, const Query &query,
                          const Options &options);

} // namespace mpf::driver
