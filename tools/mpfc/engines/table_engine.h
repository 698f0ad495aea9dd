// The engine that answers cases by a compiled program with a case variable (codegen/cases/
// case_axis.h), one run for each block of cases.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/cases/case_axis.h"
#include "dsl/model/model.h"
#include "dsl/support/cases/case_source.h"
#include "tools/mpfc/cases/case_engine.h"
#include "tools/mpfc/options/options.h"

namespace mpf::driver {

/// A program that answers `runCases` cases in one run.
struct CaseTables {
  CaseModel cases;
  uint32_t runCases = 0;
  Bundle bundle;
};

/// As many cases as the memory bound allows; errors as makeTableEngine.
CaseTables compileCaseTables(const Model &model, const CaseSchema &schema, const Query &query,
                             const Options &options);

/// Cases of a block that such a program is efficient for.
uint32_t bestTableBlock(uint32_t runCases);

/// An EngineMaker (cases/run_cases.h), of lists that set no params. The blocks of one run are as
/// large as the memory bound allows. Throws as compiling does; Error(Unsupported) for queries
/// without such a program.
CaseEngine makeTableEngine(const Model &model, const CaseSource &cases, const Query &query,
                           const Options &options);

} // namespace mpf::driver
