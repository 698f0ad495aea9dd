// Which engine answers the cases of a query.
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

/// Throws Error(Unsupported), at its place, where the list sets a param.
void requireNoParams(const CaseSource &cases);

/// An EngineMaker (cases/run_cases.h): lanes; tables over blocks of cases, where lanes refuse the
/// query and where the command line asks for what only tables have; single runs, where its tables
/// are too large for both and for queries that neither takes. Throws as planning does;
/// Error(Unsupported) where cases set params; Error(BadInput) for factors that a host program
/// should bind.
CaseEngine makeCaseEngine(const Model &model, const CaseSource &cases, const Query &query,
                          const Options &options);

} // namespace mpf::driver
