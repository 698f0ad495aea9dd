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

/// The least states of a held variable: shorter vectors gain nothing over those along other
/// variables.
constexpr uint32_t kLeastStates = 8;
/// The price of both predictions, for each operation.
constexpr double kAskUs = 25;
/// The greatest ratio of times that counts as shorter: predictions cannot tell smaller differences.
constexpr double kClearlyFaster = 0.98;

/// Returns nothing if no held variable has enough states.
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

/// Whether the storage order is fixed already: by slices, which are stretches of tables, or by
/// passes.
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

/// Whether predicting both storage orders can pay: it gains at most half of a run, whose time is
/// first estimated from RunCosts.
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
    return program; // passLayOutTables has chosen the storage orders
  TableProgram other = interleaved(program, *held);
  const double asIs = options.programUs(model, program, PredictedKernels::BuiltIn);
  if (options.programUs(model, other, PredictedKernels::BuiltIn) < kClearlyFaster * asIs)
    return other;
  return program;
}

} // namespace mpf
