// Finds out from the contents of a program whether it has been through a pass (PlanPass::hasRun). A
// pass that changed nothing is not noticed.
#pragma once

#include "codegen/plan/program/table_program.h"

namespace mpf {

bool hasBuckets(const TableProgram &program);       ///< eliminate: several operations, or traceback
bool hasMarginals(const TableProgram &program);     ///< downward
bool hasSharedResults(const TableProgram &program); ///< share-tables (downward shares inputs)
bool hasKeptTables(const TableProgram &program);    ///< keep-messages
bool hasSplits(const TableProgram &program);        ///< split-k
bool hasChains(const TableProgram &program);        ///< find-chains
bool hasPackedTables(const TableProgram &program);  ///< pack-tables
bool hasLayouts(const TableProgram &program);       ///< lay-out-tables
inline bool hasSeparateBranches(const TableProgram &program) { ///< separate-branches
  return program.separateBranches;
}

} // namespace mpf
