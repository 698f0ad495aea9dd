// Model -> table programs, as the command line asks: the planner with its pass options.
#pragma once

#include "codegen/plan/table_program.h"
#include "tools/mpfc/options.h"

#include <vector>

namespace mpf::driver {

/// One program per selected query. Performance warnings, --print-after, --print-changed and
/// --time-passes go to stderr.
std::vector<TableProgram> planQueries(const Model &model, const Options &options);

/// The program of -x plan.
TableProgram readPlan(const Options &options);

} // namespace mpf::driver
