// Passes of the planner alone, on a program that was read from its text, as `opt` runs those of a
// compiler: mpfc -x plan --run-pass NAME. The program may have been printed between any two passes
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

/// Why `pass` cannot be run on a verified program, in a few words; empty: it can. A program must
/// have come as far as the pass needs, and show nothing that the pass itself or one after it makes,
/// which it would not know.
std::string findPassObstacle(const TableProgram &program, const PlanPass &pass);

/// Runs the named passes once each, in this order, and verifies after each what held before or what
/// the pass sees to. What a text does not hold is not known: no two tables have equal entries,
/// every factor may be bound anew, no product is negative. order-variables takes the order that a
/// search finds, as `options` say. `options` also say which messages are kept, the bound that
/// messages are computed again for, and the device that tables are cut, chained and stored for
/// (none: they are not). Throws Error(Usage) for a pass that there is not, or that cannot be run.
TableProgram runPassesAlone(TableProgram program, const std::vector<std::string> &names,
                            const PlanOptions &options, const PlanHooks &hooks);

} // namespace mpf
