// Runs single passes of the planner on a program that was read from its text, as `opt` runs those
// of LLVM: mpfc -x plan --run-pass NAME. The program may have been printed between any two passes
// (--print-after).
#pragma once

#include "codegen/plan/passes/plan_pipeline.h"
#include "codegen/plan/program/plan_options.h"
#include "codegen/plan/program/table_program.h"
#include "dsl/source/diagnostic.h"

#include <string>
#include <string_view>
#include <vector>

namespace mpf {

/// Returns the reason why `pass` cannot run on a verified program, as one clause; empty: it can. A
/// program must have been through the passes that PlanPass::earliest names. It must not show that
/// it has been through the pass itself or through one after it.
std::string findPassObstacle(const TableProgram &program, const PlanPass &pass);

/// Runs the named passes once each, in this order. After each it verifies the rules that held
/// before and those that the pass establishes. The values of factors are not in the text: no two
/// factors count as equal, every factor may be bound anew, and no product is negative.
///
/// The pass order-variables takes the order that a search finds with `options`, without slices. Its
/// `options` also hold the messages to keep, the bound for recomputing messages, and the device
/// costs for the passes that ask (null: these do nothing).
///
/// Throws Error(Usage) for a pass that is unknown or cannot be run, and Error(MemoryBound) when the
/// search finds no complete order because no memory could hold it.
TableProgram runPassesAlone(TableProgram program, const std::vector<std::string> &names,
                            const PlanOptions &options, const PlanHooks &hooks);

} // namespace mpf
