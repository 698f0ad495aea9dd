#include "codegen/plan/interleave_held.h"

#include "codegen/plan/program/device_costs.h"
#include "codegen/plan/program/held_variables.h"
#include "codegen/plan/program/planning_budget.h"
#include "codegen/plan/program/storage_order.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace mpf {

namespace {

/// Shorter vectors gain nothing over those along other variables.
constexpr uint32_t kLeastStates = 8;
/// The price of both predictions, for each operation.
constexpr double kAskUs = 25;
/// What is predicted to be shorter by less is not: predictions do not tell it.
constexpr double kClearlyFaster = 0.98;

/// None: no held variable has enough states.
std::optional<VarId> largestHeld(const TableProgram &program) {
  std::optional<VarId> largest;
  uint32_t most = kLeastStates - 1;
  for (const VarId id : heldVariables(program))
    if (const uint32_t extent = program.variables[id.index()].extent; extent > most) {
      largest = id;
      most = extent;
    }
  return largest;
}

/// Slices are stretches of tables, and passes have chosen how others are stored.
bool isStoredOtherwise(const TableProgram &program) {
  return !program.chains.empty() ||
         std::ranges::any_of(program.variables, &ProgramVariable::sliced) ||
         std::ranges::any_of(program.tables, [](const ProgramTable &table) {
           return !table.layout.empty() || table.packed || table.splits > 1;
         });
}

TableProgram interleaved(TableProgram program, VarId held) {
  for (ProgramTable &table : program.tables) {
    std::vector<VarId> order = table.scope;
    if (table.sameAs.valid() || table.isIdentity || std::erase(order, held) == 0)
      continue;
    order.push_back(held);
    setStorageOrder(table, order);
  }
  return program;
}

/// Whether asking what both ways take can pay: at most half of a run is gained, whose time is first
/// taken from the planner's few figures.
bool mayPay(const TableProgram &program, const PlanOptions &options) {
  RunWork work;
  for (const Operation &operation : program.operations) {
    work.operations += 1;
    work.entries += static_cast<double>(operation.cost.readElems + operation.cost.writtenElems);
    work.terms += static_cast<double>(operation.cost.addressCount);
  }
  const RunCosts &costs = options.runCosts;
  return questionPays(kAskUs * work.operations, costs.runUs(work) / 2, costs.expectedRuns);
}

} // namespace

TableProgram withFasterHeld(const Model &model, TableProgram program, const PlanOptions &options) {
  const std::optional<VarId> held = largestHeld(program);
  if (!held || !options.programUs || isStoredOtherwise(program) || !mayPay(program, options))
    return program;
  if (options.deviceCosts != nullptr && options.deviceCosts->storesForGpu())
    return program; // passLayOutTables has seen to it
  TableProgram other = interleaved(program, *held);
  const double asIs = options.programUs(model, program, PredictedKernels::BuiltIn);
  if (options.programUs(model, other, PredictedKernels::BuiltIn) < kClearlyFaster * asIs)
    return other;
  return program;
}

} // namespace mpf
