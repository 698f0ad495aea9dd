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
  return traitsOf(program.kind).goesDownward ? kMaxOperands - 1 : kMaxOperands;
}

bool isNeeded(PassNeed need, QueryKind kind, bool sliced) {
  return need == PassNeed::Always ||
         (need == PassNeed::BucketTree && (traitsOf(kind).needsBucketTree() || sliced));
}

void checkOffPasses(const std::vector<std::string> &off, QueryKind kind, bool sliced) {
  for (const std::string &name : off) {
    const auto &passes = planPasses();
    const auto pass = std::find_if(passes.begin(), passes.end(),
                                   [&name](const PlanPass &p) { return p.name == name; });
    if (pass == passes.end())
      fail(ErrorKind::Usage, "there is no plan pass named {}", name);
    if (isNeeded(pass->need, kind, sliced))
      fail(ErrorKind::Usage, "pass {} cannot be turned off: the plan could not be run", name);
  }
}

bool isStoredOtherwise(const TableProgram &program) {
  return std::any_of(program.tables.begin(), program.tables.end(), [](const ProgramTable &table) {
    return !table.layout.empty() || table.packed;
  });
}

} // namespace

const std::vector<PlanPass> &planPasses() {
  static const std::vector<PlanPass> kPasses = {
      {"order-variables",
       [](TableProgram &program, const PassInput &input) {
         passOrderVariables(program, input.order.order, input.order.slicedCount);
       },
       PassNeed::Always},
      {"eliminate",
       [](TableProgram &program, const PassInput &input) {
         passEliminate(program, input.order.ends);
       },
       PassNeed::BucketTree},
      {"join-buckets", [](TableProgram &program, const PassInput &) { passJoinBuckets(program); },
       PassNeed::Optional},
      {"merge-operands",
       [](TableProgram &program, const PassInput &) {
         passMergeOperands(program, operandLimit(program));
       },
       PassNeed::Optional},
      {"bound-operands",
       [](TableProgram &program, const PassInput &) {
         passBoundOperands(program, operandLimit(program));
       },
       PassNeed::Always},
      {"order-operations",
       [](TableProgram &program, const PassInput &) { passOrderOperations(program); },
       PassNeed::Optional},
      {"downward", [](TableProgram &program, const PassInput &) { passDownward(program); },
       PassNeed::Always},
      {"contract-operands",
       [](TableProgram &program, const PassInput &) { passContractOperands(program); },
       PassNeed::Optional},
      {"split-reductions",
       [](TableProgram &program, const PassInput &) { passSplitReductions(program); },
       PassNeed::Optional},
      {"nest-operations",
       [](TableProgram &program, const PassInput &) { passNestOperations(program); },
       PassNeed::Always},
      {"share-tables",
       [](TableProgram &program, const PassInput &input) {
         passShareTables(program, input.contents);
       },
       PassNeed::Optional},
      {"keep-messages",
       [](TableProgram &program, const PassInput &input) {
         passKeepMessages(program, input.contents, input.keep);
       },
       PassNeed::Optional, PassStage::Fitting},
      {"recompute-messages",
       [](TableProgram &program, const PassInput &input) {
         if (input.recompute)
           passRecomputeMessages(program, *input.recompute);
       },
       PassNeed::Optional, PassStage::Fitting},
      {"split-k",
       [](TableProgram &program, const PassInput &input) { passSplitK(program, input.chains); },
       PassNeed::Optional, PassStage::Fitting},
      {"find-chains",
       [](TableProgram &program, const PassInput &input) { passFindChains(program, input.chains); },
       PassNeed::Optional, PassStage::Fitting},
      {"pack-tables",
       [](TableProgram &program, const PassInput &input) {
         passPackTables(program, input.contents, input.layouts, SearchStop(input.limits));
       },
       PassNeed::Optional, PassStage::Storing},
      {"lay-out-tables",
       [](TableProgram &program, const PassInput &input) {
         passLayOutTables(program, input.layouts, SearchStop(input.limits));
       },
       PassNeed::Optional, PassStage::Storing},
  };
  return kPasses;
}

TableProgram runPlanPasses(TableProgram program, const PassInput &input, const PlanHooks &hooks) {
  for (const PassStage stage : {PassStage::Shaping, PassStage::Fitting, PassStage::Storing})
    program = runPlanPasses(std::move(program), input, hooks, stage);
  return program;
}

TableProgram runPlanPasses(TableProgram program, const PassInput &input, const PlanHooks &hooks,
                           PassStage stage) {
  using Clock = std::chrono::steady_clock;
  checkOffPasses(hooks.offPasses, program.kind, input.order.slicedCount > 0);
  VerifyStages stages{stage != PassStage::Shaping, stage != PassStage::Shaping};
  std::string before = hooks.compareText ? printProgram(program) : std::string();
  std::string_view last = "nest-operations";
  const auto verify = [&] {
    if (stage == PassStage::Storing && !isStoredOtherwise(program))
      return; // as it was
    const auto problem = verifyProgram(program, stages);
    MPF_CHECK(!problem, "after pass {}: {}", last, problem.value_or(""));
  };
  for (const PlanPass &pass : planPasses()) {
    if (pass.stage != stage || std::find(hooks.offPasses.begin(), hooks.offPasses.end(),
                                         pass.name) != hooks.offPasses.end())
      continue;
    const Clock::time_point start = Clock::now();
    pass.run(program, input);
    const std::chrono::duration<double> elapsed = Clock::now() - start;
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
    hooks.after({pass.name, program, changed, elapsed.count()});
  }
  if (hooks.verify && stage != PassStage::Shaping && program.operations.size() > kMostVerifiedOften)
    verify();
  return program;
}

} // namespace mpf
