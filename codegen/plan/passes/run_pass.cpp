#include "codegen/plan/passes/run_pass.h"

#include "codegen/plan/program/verify_outputs.h"
#include "codegen/plan/program/verify_program.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace mpf {

namespace {

bool isBounded(const TableProgram &program) {
  return std::all_of(
      program.operations.begin(), program.operations.end(),
      [](const Operation &operation) { return operation.operands.size() <= kMaxOperands; });
}

/// The name of the first earlier pass that `program` has not been through, or null.
const char *missingPass(const TableProgram &program, PlanProgress earliest) {
  if (earliest >= PlanProgress::Buckets && traitsOf(program.kind).decoding &&
      program.traceback.empty() && !program.order.empty())
    return "eliminate";
  if (earliest >= PlanProgress::Bounded && !isBounded(program))
    return "bound-operands";
  if (earliest >= PlanProgress::AllOutputs && !findOutputFault(program, true).empty())
    return "downward";
  if (earliest >= PlanProgress::Nested && verifyProgram(program))
    return "nest-operations";
  return nullptr;
}

/// The rules that must hold after a pass: those that held before, and those that it establishes.
VerifyStages stagesAfter(const PlanPass &pass, const VerifyStages &before) {
  return {before.bounded || pass.name == "bound-operands",
          before.nested || pass.name == "nest-operations"};
}

VerifyStages stagesOf(const TableProgram &program) {
  const bool bounded = !verifyProgram(program, {true, false});
  return {bounded, bounded && !verifyProgram(program)};
}

/// The order that the program has, or one that a search finds.
OrderChoice orderFor(const TableProgram &program, const PlanPass &pass, const PlanOptions &options,
                     const PlanHooks &hooks) {
  OrderChoice order;
  order.order = program.order;
  if (!pass.takesOrder)
    return order;
  Diagnostics unheard; // of orders given in a model
  OrderChoices found = chooseOrders(Model(), program, options, unheard);
  if (hooks.searched)
    hooks.searched(found.effort);
  return std::move(found.choices.front());
}

TableProgram runAlone(TableProgram program, const PlanPass &pass, const PlanOptions &options,
                      const PlanHooks &hooks) {
  const VerifyStages stages = stagesAfter(pass, stagesOf(program));
  const OrderChoice order = orderFor(program, pass, options, hooks);
  if (order.order.size() != program.order.size())
    fail(ErrorKind::MemoryBound, "{}: no order is within reach of any memory", pass.name);
  const InputContents contents;
  const MemoryLimit limit{options.maxMemoryBytes, options.type};
  PassInput input{.order = order,
                  .contents = contents,
                  .keep = options.keep,
                  .costs = options.deviceCosts,
                  .recompute = {},
                  .branches = BranchTerms{limit, {}},
                  .limits = options.search};
  if (options.maxMemoryBytes != UINT64_MAX)
    input.recompute = RecomputeBound{limit, false};
  program = runPlanPass(std::move(program), pass, input, hooks);
  const auto problem = verifyProgram(program, stages);
  MPF_CHECK(!problem, "after pass {} alone: {}", pass.name, problem.value_or(""));
  return program;
}

} // namespace

std::string findPassObstacle(const TableProgram &program, const PlanPass &pass) {
  bool isBefore = true;
  for (const PlanPass &other : planPasses()) {
    isBefore &= other.name != pass.name;
    if (!isBefore && other.hasRun != nullptr && other.hasRun(program))
      return other.name == pass.name
                 ? "the plan has been through it"
                 : fmt::format("the plan has been through {}, which comes after it", other.name);
  }
  if (const char *missing = missingPass(program, pass.earliest))
    return fmt::format("the plan has not been through {}, which comes before it", missing);
  return "";
}

TableProgram runPassesAlone(TableProgram program, const std::vector<std::string> &names,
                            const PlanOptions &options, const PlanHooks &hooks) {
  for (const std::string &name : names) {
    const PlanPass *pass = findPlanPass(name);
    if (pass == nullptr)
      fail(ErrorKind::Usage, "there is no plan pass named {}", name);
    if (const std::string obstacle = findPassObstacle(program, *pass); !obstacle.empty())
      fail(ErrorKind::Usage, "pass {} cannot be run on {}: {}", name, program.name, obstacle);
    program = runAlone(std::move(program), *pass, options, hooks);
  }
  return program;
}

} // namespace mpf
