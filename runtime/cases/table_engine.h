// The engine that answers cases by a compiled program with a case variable (codegen/cases/
// case_axis.h), one run for each block of cases.
#pragma once

#include "runtime/cases/planned_engine.h"

namespace mpf {

/// For a list that sets no params. A run answers as many cases as the list has, up to 1024, and
/// fewer where the memory bound does not hold so many. Throws as compiling does;
/// Error(Unsupported) for queries without such a program.
PlannedEngine planTableEngine(const CaseProblem &problem);

} // namespace mpf
