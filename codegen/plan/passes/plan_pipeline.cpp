#include "codegen/plan/passes/plan_pipeline.h"

#include "codegen/plan/passes/pass_bound_operands.h"
#include "codegen/plan/passes/pass_contract_operands.h"
#include "codegen/plan/passes/pass_downward.h"
#include "codegen/plan/passes/pass_eliminate.h"
#include "codegen/plan/passes/pass_find_chains.h"
#include "codegen/plan/passes/pass_join_buckets.h"
#include "codegen/plan/passes/pass_keep_messages.h"
#include "codegen/plan/passes/pass_lay_out_tables.h"
#include "codegen/plan/passes/pass_merge_operands.h"
#include "codegen/plan/passes/pass_nest_operations.h"
#include "codegen/plan/passes/pass_order_operations.h"
#include "codegen/plan/passes/pass_order_variables.h"
#include "codegen/plan/passes/pass_pack_tables.h"
#include "codegen/plan/passes/pass_share_tables.h"
#include "codegen/plan/passes/pass_split_k.h"
#include "codegen/plan/passes/pass_split_reductions.h"
#include "codegen/plan/passes/pass_traces.h"
#include "codegen/plan/program/print_program.h"
#include "codegen/plan/program/verify_program.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <chrono>

namespace mpf {

namespace {

/// Larger programs are verified once, at the end: after each pass it takes as long as they do.
constexpr size_t kMostVerifiedOften = 20'000;

/// A downward operation has the message from above besides the other operands of its bucket, a
/// marginal taken from a bucket all of them.
size_t operandLimit(const TableProgram &program) {
  return program.kind == QueryKind::Marginals ? kMaxOperands - 1 : kMaxOperands;
}

bool isNeeded(PassNeed need, QueryKind kind, bool sliced) {
  return need == PassNeed::Always ||
         (need == PassNeed::BucketTree &&
          (kind == QueryKind::Marginals || kind == QueryKind::Best || sliced));
}

void checkOffPasses(const std::vector<std::string> &off, QueryKind kind, bool sliced) {
  for (const std::string &name : off) {
    const PlanPass *pass = findPlanPass(name);
    if (pass == nullptr)
      fail(ErrorKind::Usage, "there is no plan pass named {}", name);
    if (isNeeded(pass->need, kind, sliced))
      fail(ErrorKind::Usage, "pass {} cannot be turned off: the plan could not be run", name);
  }
}

/// In seconds.
double runTimed(TableProgram &program, const PlanPass &pass, const PassInput &input) {
  const auto start = std::chrono::steady_clock::now();
  pass.run(program, input);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  return elapsed.count();
}

} // namespace

const std::vector<PlanPass> &planPasses() {
  using enum PassStage;
  using enum PlanProgress;
  constexpr PassNeed kAlways = PassNeed::Always, kTree = PassNeed::BucketTree,
                     kOptional = PassNeed::Optional;
  static const std::vector<PlanPass> kPasses = {
      {"order-variables",
       [](TableProgram &program, const PassInput &input) {
         passOrderVariables(program, input.order.order, input.order.slicedCount);
       },
       kAlways, Shaping, Nothing, nullptr, true},
      {"eliminate",
       [](TableProgram &program, const PassInput &input) {
         passEliminate(program, input.order.ends);
       },
       kTree, Shaping, Nothing, hasBuckets},
      {"join-buckets", [](TableProgram &program, const PassInput &) { passJoinBuckets(program); },
       kOptional, Shaping, Buckets},
      {"merge-operands",
       [](TableProgram &program, const PassInput &) {
         passMergeOperands(program, operandLimit(program));
       },
       kOptional, Shaping, Buckets},
      {"bound-operands",
       [](TableProgram &program, const PassInput &) {
         passBoundOperands(program, operandLimit(program));
       },
       kAlways, Shaping, Buckets},
      {"order-operations",
       [](TableProgram &program, const PassInput &) { passOrderOperations(program); }, kOptional,
       Shaping, Bounded},
      {"downward", [](TableProgram &program, const PassInput &) { passDownward(program); }, kAlways,
       Shaping, Bounded, hasMarginals},
      {"contract-operands",
       [](TableProgram &program, const PassInput &) { passContractOperands(program); }, kOptional,
       Shaping, AllOutputs},
      {"split-reductions",
       [](TableProgram &program, const PassInput &) { passSplitReductions(program); }, kOptional,
       Shaping, AllOutputs},
      {"nest-operations",
       [](TableProgram &program, const PassInput &) { passNestOperations(program); }, kAlways,
       Shaping, AllOutputs},
      {"share-tables",
       [](TableProgram &program, const PassInput &input) {
         passShareTables(program, input.contents);
       },
       kOptional, Shaping, Nested, hasSharedResults},
      {"keep-messages",
       [](TableProgram &program, const PassInput &input) {
         passKeepMessages(program, input.contents, input.keep);
       },
       kOptional, Fitting, Nested, hasKeptTables},
      {"recompute-messages",
       [](TableProgram &program, const PassInput &input) {
         if (input.recompute)
           passRecomputeMessages(program, *input.recompute);
       },
       kOptional, Fitting, Nested},
      {"split-k",
       [](TableProgram &program, const PassInput &input) { passSplitK(program, input.chains); },
       kOptional, Fitting, Nested, hasParts},
      {"find-chains",
       [](TableProgram &program, const PassInput &input) { passFindChains(program, input.chains); },
       kOptional, Fitting, Nested, hasChains},
      {"pack-tables",
       [](TableProgram &program, const PassInput &input) {
         passPackTables(program, input.contents, input.layouts, SearchStop(input.limits));
       },
       kOptional, Storing, Nested, hasPackedTables},
      {"lay-out-tables",
       [](TableProgram &program, const PassInput &input) {
         passLayOutTables(program, input.layouts, SearchStop(input.limits));
       },
       kOptional, Storing, Nested, hasLayouts},
  };
  return kPasses;
}

const PlanPass *findPlanPass(std::string_view name) {
  const std::vector<PlanPass> &passes = planPasses();
  const auto pass = std::find_if(passes.begin(), passes.end(),
                                 [name](const PlanPass &p) { return p.name == name; });
  return pass == passes.end() ? nullptr : &*pass;
}

TableProgram runPlanPass(TableProgram program, const PlanPass &pass, const PassInput &input,
                         const PlanHooks &hooks) {
  const double seconds = runTimed(program, pass, input);
  if (hooks.after)
    hooks.after({pass.name, program, true, seconds});
  return program;
}

TableProgram runPlanPasses(TableProgram program, const PassInput &input, const PlanHooks &hooks) {
  for (const PassStage stage : {PassStage::Shaping, PassStage::Fitting, PassStage::Storing})
    program = runPlanPasses(std::move(program), input, hooks, stage);
  return program;
}

TableProgram runPlanPasses(TableProgram program, const PassInput &input, const PlanHooks &hooks,
                           PassStage stage) {
  checkOffPasses(hooks.offPasses, program.kind, input.order.slicedCount > 0);
  VerifyStages stages{stage != PassStage::Shaping, stage != PassStage::Shaping};
  std::string before = hooks.compareText ? printProgram(program) : std::string();
  std::string_view last = "nest-operations";
  const auto verify = [&] {
    if (stage == PassStage::Storing && !hasPackedTables(program) && !hasLayouts(program))
      return; // as it was
    const auto problem = verifyProgram(program, stages);
    MPF_CHECK(!problem, "after pass {}: {}", last, problem.value_or(""));
  };
  for (const PlanPass &pass : planPasses()) {
    if (pass.stage != stage || std::find(hooks.offPasses.begin(), hooks.offPasses.end(),
                                         pass.name) != hooks.offPasses.end())
      continue;
    const double seconds = runTimed(program, pass, input);
    stages.bounded |= pass.name == "bound-operands";
    stages.nested |= pass.name == "nest-operations";
    last = pass.name;
    if (hooks.verify && program.operations.size() <= kMostVerifiedOften)
      verify();
    if (!hooks.after)
      continue;
    bool changed = true;
    if (hooks.compareText) {
      std::string now = printProgram(program);
      changed = now != before;
      before = std::move(now);
    }
    hooks.after({pass.name, program, changed, seconds});
  }
  if (hooks.verify && stage != PassStage::Shaping && program.operations.size() > kMostVerifiedOften)
    verify();
  return program;
}

} // namespace mpf
