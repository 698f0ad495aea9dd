// What passes leave behind, by which a program that was read from its text tells that it has been
// through them (PlanPass::hasRun).
#pragma once

#include "codegen/plan/program/table_program.h"

namespace mpf {

bool hasBuckets(const TableProgram &program);       ///< eliminate; or one bucket is all there is
bool hasMarginals(const TableProgram &program);     ///< downward
bool hasSharedResults(const TableProgram &program); ///< share-tables (other passes share inputs)
bool hasKeptTables(const TableProgram &program);    ///< keep-messages
bool hasSplits(const TableProgram &program);        ///< split-k
bool hasChains(const TableProgram &program);        ///< find-chains
bool hasPackedTables(const TableProgram &program);  ///< pack-tables
bool hasLayouts(const TableProgram &program);       ///< lay-out-tables

} // namespace mpf
