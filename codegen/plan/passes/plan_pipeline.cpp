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
#include "codegen/plan/passes/pass_separate_branches.h"
#include "codegen/plan/passes/pass_share_tables.h"
#include "codegen/plan/passes/pass_split_k.h"
#include "codegen/plan/passes/pass_split_reductions.h"
#include "codegen/plan/passes/pass_traces.h"
#include "codegen/plan/program/print_program.h"
#include "codegen/plan/program/verify_program.h"
#include "dsl/support/check.h"
#include "dsl/support/system/watched_call.h"

#include <algorithm>
#include <chrono>

namespace mpf {

namespace {

/// The most operations of a program that is verified after each pass: verifying takes as long as a
/// pass. Larger programs are verified once at the end of a stage.
constexpr size_t kMostVerifiedOften = 20'000;

/// The most operands of an upward operation. A marginal that is taken from a bucket has all
/// operands of the bucket and the downward message.
size_t operandLimit(const TableProgram &program) {
  return traitsOf(program.kind).goesDownward ? kMaxOperands - 1 : kMaxOperands;
}

bool isNeeded(PassNeed need, QueryKind kind, bool sliced) {
  return need == PassNeed::Always ||
         (need == PassNeed::BucketTree && (traitsOf(kind).needsBucketTree() || sliced));
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

bool isRun(const PlanPass &pass, const PassInput &input) {
  return pass.asks == PassAsks::Nothing ||
         (input.costs != nullptr && (input.changesForGpu || pass.asks == PassAsks::Storage));
}

/// Runs a pass, unless `input` turns it off. Returns the seconds that it took.
double runTimed(TableProgram &program, const PlanPass &pass, const PassInput &input) {
  const auto start = std::chrono::steady_clock::now();
  throwIfCancelled();
  if (isRun(pass, input))
    pass.run(program, input);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  return elapsed.count();
}

} // namespace

const std::vector<PlanPass> &planPasses() {
  using enum PassNeed;
  using enum PassStage;
  using enum PassAsks;
  using enum PlanProgress;
  static const std::vector<PlanPass> kPasses = {
      {.name = "order-variables",
       .run =
           [](TableProgram &program, const PassInput &input) {
             passOrderVariables(program, input.order.order, input.order.slicedCount);
           },
       .need = Always,
       .takesOrder = true},
      {.name = "eliminate",
       .run = [](TableProgram &program,
                 const PassInput &input) { passEliminate(program, input.order.ends); },
       .need = BucketTree,
       .hasRun = hasBuckets},
      {.name = "join-buckets",
       .run = [](TableProgram &program, const PassInput &) { passJoinBuckets(program); },
       .earliest = Buckets},
      {.name = "merge-operands",
       .run = [](TableProgram &program,
                 const PassInput &) { passMergeOperands(program, operandLimit(program)); },
       .earliest = Buckets},
      {.name = "bound-operands",
       .run = [](TableProgram &program,
                 const PassInput &) { passBoundOperands(program, operandLimit(program)); },
       .need = Always,
       .earliest = Buckets},
      {.name = "order-operations",
       .run = [](TableProgram &program, const PassInput &) { passOrderOperations(program); },
       .earliest = Bounded},
      {.name = "downward",
       .run = [](TableProgram &program, const PassInput &) { passDownward(program); },
       .need = Always,
       .earliest = Bounded,
       .hasRun = hasMarginals},
      {.name = "contract-operands",
       .run = [](TableProgram &program, const PassInput &) { passContractOperands(program); },
       .earliest = AllOutputs},
      {.name = "split-reductions",
       .run = [](TableProgram &program, const PassInput &) { passSplitReductions(program); },
       .earliest = AllOutputs},
      {.name = "nest-operations",
       .run = [](TableProgram &program, const PassInput &) { passNestOperations(program); },
       .need = Always,
       .earliest = AllOutputs},
      {.name = "share-tables",
       .run = [](TableProgram &program,
                 const PassInput &input) { passShareTables(program, input.contents); },
       .earliest = Nested,
       .hasRun = hasSharedResults},
      {.name = "keep-messages",
       .run = [](TableProgram &program,
                 const PassInput &input) { passKeepMessages(program, input.contents, input.keep); },
       .stage = Fitting,
       .earliest = Nested,
       .hasRun = hasKeptTables},
      {.name = "recompute-messages",
       .run =
           [](TableProgram &program, const PassInput &input) {
             if (input.recompute)
               passRecomputeMessages(program, *input.recompute);
           },
       .stage = Fitting,
       .earliest = Nested},
      {.name = "split-k",
       .run = [](TableProgram &program,
                 const PassInput &input) { passSplitK(program, *input.costs); },
       .stage = Device,
       .asks = Operations,
       .earliest = Nested,
       .hasRun = hasSplits},
      {.name = "find-chains",
       .run = [](TableProgram &program,
                 const PassInput &input) { passFindChains(program, *input.costs); },
       .stage = Device,
       .asks = Operations,
       .earliest = Nested,
       .hasRun = hasChains},
      {.name = "pack-tables",
       .run =
           [](TableProgram &program, const PassInput &input) {
             passPackTables(program, input.contents, *input.costs, SearchStop(input.limits));
           },
       .stage = Storing,
       .asks = Storage,
       .earliest = Nested,
       .hasRun = hasPackedTables},
      {.name = "lay-out-tables",
       .run =
           [](TableProgram &program, const PassInput &input) {
             passLayOutTables(program, *input.costs, SearchStop(input.limits));
           },
       .stage = Storing,
       .asks = Storage,
       .earliest = Nested,
       .hasRun = hasLayouts},
      {.name = "separate-branches",
       .run =
           [](TableProgram &program, const PassInput &input) {
             if (input.branches)
               passSeparateBranches(program, *input.branches, input.costs);
           },
       .stage = Storing,
       .earliest = Nested,
       .hasRun = hasSeparateBranches},
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
  for (const PassStage stage : kPassStages)
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
