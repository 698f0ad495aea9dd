// Model -> table programs, as the command line asks: the planner with its pass options.
#pragma once

#include "codegen/plan/build_program.h"
#include "codegen/plan/program/device_costs.h"
#include "codegen/plan/program/read_program.h"
#include "codegen/simplify/simplify.h"
#include "tools/mpfc/options/options.h"
#include "tools/mpfc/refusals.h"
#include "tools/mpfc/search_interrupt.h"

#include <functional>
#include <memory>
#include <vector>

namespace mpf::driver {

/// What the planner may do, from the options. Whoever plans holds the interrupt, so long as it
/// plans: Ctrl-C then ends the search and not the process.
/// `chains` (may be null) outlives that too.
PlanOptions planOptionsFor(const Options &options, ElementType type,
                           const SearchInterrupt &interrupt, DeviceCosts *chains);
/// For planOptionsFor: none for whole numbers, for a CPU alone, or for a bundle that no GPU is
/// named for.
std::unique_ptr<DeviceCosts> deviceCostsFor(const Options &options, ElementType type);
/// For one query, to be made when its planning begins: --time-passes counts from then.
PlanHooks planHooksFor(const Options &options, ElementType type);
SimplifyOptions simplifyOptionsFor(const Options &options, ElementType type);
SimplifyHook simplifyHookFor(const Options &options);

/// A query as it is answered: `program` is of the simplified model.
struct PlannedQuery {
  Simplified simple;
  TableProgram program;
  ElementType type = ElementType::F64;
};

/// Plans the selected queries one after the other; those that are not refused are handed on before
/// the next one begins. Performance warnings, --print-after, --print-changed and --time-passes go
/// to stderr. The first Ctrl-C while it plans ends the searches, of all queries that are still to
/// be planned.
void planEach(const Model &model, const Options &options, Refusals &refusals,
              const std::function<void(PlannedQuery)> &take);

/// Likewise the selected queries of `model`, simplified as far as the options say.
void simplifyEach(const Model &model, const Options &options, Refusals &refusals,
                  const std::function<void(Simplified)> &take);

/// The programs in the text file `path`: -x plan, --plan.
std::vector<ReadProgram> readPlans(const std::string &path);

/// A plan's text names no type: it is --type's, else f64.
ElementType typeOfPlan(const Options &options);

struct TypedProgram {
  TableProgram program;
  ElementType type = ElementType::F64;
};

/// The programs for options.input: read with -x plan, else planned from the model, without those of
/// refused queries.
std::vector<TypedProgram> programsFor(const Options &options, Refusals &refusals);

} // namespace mpf::driver
