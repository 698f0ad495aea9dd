// The engine that answers cases by a compiled program with a case variable (codegen/cases/
// case_axis.h), one run for each block of cases.
#pragma once

#include "codegen/cases/case_axis.h"
#include "runtime/engine/planned_engine.h"

namespace mpf {

/// A program that answers `runCases` cases in one run.
struct CaseTables {
  CaseModel cases;
  uint32_t runCases = 0;
  CompileSettings options; ///< settings of its compilation
  Bundle bundle;
};

/// Compiles the program that the engine runs. Throws as planTableEngine.
CaseTables compileCaseTables(const CaseProblem &problem);
/// Runs in a block: their rows are written while the next block is computed.
inline constexpr uint32_t kRunsOfBlock = 4;

/// Plans the engine. Tables that cases set, or that follow from their params, are bound for each
/// run. A run answers as many cases as the list has, up to 1024. It answers fewer if the memory
/// bound requires it, or if the first use of its pages costs more than planning again. Throws as
/// compiling does; Error(Unsupported) for queries without such a program.
PlannedEngine planTableEngine(const CaseProblem &problem);

} // namespace mpf
