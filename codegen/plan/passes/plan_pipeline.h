// THE PASSES of the planner, as data, and the one loop that runs them.
//
//   initial-program    Model + query -> one operation over everything    (initial_program.h)
//   order-variables    the chosen global order                           (pass_order_variables.h)
//   eliminate          one operation per variable: the bucket tree       (pass_eliminate.h)
//   join-buckets       variables eliminated jointly                      (pass_join_buckets.h)
//   merge-operands     small tables of big buckets multiplied first      (pass_merge_operands.h)
//   bound-operands     at most kMaxOperands tables per operation         (pass_bound_operands.h)
//   order-operations   depth first, least memory                         (pass_order_operations.h)
//   downward           messages down and marginals                       (pass_downward.h)
//   contract-operands  wide operations become contraction trees          (pass_contract_operands.h)
//   split-reductions   long sums with few outputs in two steps           (pass_split_reductions.h)
//   nest-operations    loops of a sliced program inside each other       (pass_nest_operations.h)
//   share-tables       equal tables stored, equal messages computed once (pass_share_tables.h)
//   keep-messages      constant messages outlast a run                   (pass_keep_messages.h)
//   recompute-messages upward messages dropped, made again       (pass_recompute_messages.h)
//   split-k           long sums with few results in splits               (pass_split_k.h)
//   find-chains        runs of operations for one GPU kernel             (pass_find_chains.h)
//   pack-tables        constants of zeros and ones as bits               (pass_pack_tables.h)
//   lay-out-tables     storage orders that GPU kernels gain by           (pass_lay_out_tables.h)
#pragma once

#include "codegen/plan/initial/input_contents.h"
#include "codegen/plan/order/choose_order.h"
#include "codegen/plan/passes/pass_recompute_messages.h"
#include "codegen/plan/program/device_costs.h"
#include "codegen/plan/program/plan_options.h"
#include "codegen/plan/program/table_program.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

/// For which queries a pass cannot be left out.
enum class PassNeed {
  Optional,
  BucketTree, ///< marginals, best assignments and slices walk the bucket tree; others need not
  Always,
};

/// What the passes are given besides the program.
struct PassInput {
  const OrderChoice &order;
  const InputContents &contents; ///< of the inputs
  KeptMessages keep = KeptMessages::None;
  DeviceCosts *costs = nullptr;            ///< null: the passes that ask (PassAsks) are not run
  std::optional<RecomputeBound> recompute; ///< none: every message is computed once
  bool changesForGpu = true;               ///< the passes of PassAsks::Operations are run
  SearchLimits limits;                     ///< the clock and the flag end the search for layouts
};

/// What a pass depends on besides the program.
enum class PassStage {
  Shaping, ///< depends on PassInput's order and contents only
  Fitting, ///< depends on all of PassInput; runs after all Shaping passes
  Storing, ///< the same, and changes neither work nor memory, by which plans are compared
};

/// What a pass asks PassInput::costs about.
enum class PassAsks {
  Nothing,
  Operations, ///< and changes them, which takes memory: chains, split sums
  Storage,    ///< and changes how tables are stored
};

/// How far a program must have come for a pass to be run on it alone (run_pass.h).
enum class PlanProgress {
  Initial,
  Buckets,    ///< eliminate, where assignments are asked for
  Bounded,    ///< bound-operands
  AllOutputs, ///< downward, where there are marginals
  Nested,     ///< nest-operations: the program could be run
};

struct PlanPass {
  std::string_view name;
  void (*run)(TableProgram &program, const PassInput &input);
  PassNeed need = PassNeed::Optional; ///< where needed, --off-pass refuses
  PassStage stage = PassStage::Shaping;
  PassAsks asks = PassAsks::Nothing;
  PlanProgress earliest = PlanProgress::Initial;
  /// Shown by what the pass makes; null: what it makes looks like what others make.
  bool (*hasRun)(const TableProgram &program) = nullptr;
  bool takesOrder = false; ///< PassInput::order is one that a search found
};

/// In the order they run; "initial-program" is before all of them.
const std::vector<PlanPass> &planPasses();
/// Null for a name that there is not.
const PlanPass *findPlanPass(std::string_view name);

/// What one pass did, for --print-after, --print-changed and --time-passes.
struct PassEvent {
  std::string_view pass;
  const TableProgram &program;
  bool changed = true; ///< the program differs from the one before; only told if compareText
  double seconds = 0;  ///< wall clock; never influences the plan
};

struct PlanHooks {
  std::vector<std::string> offPasses; ///< names of passes to leave out
  bool verify = true; ///< verify the program after each pass (a large one only after the last one);
                      ///< false: the caller verifies it (plan_trials.h)
  bool compareText = false;                     ///< find out PassEvent::changed (prints twice)
  std::function<void(const PassEvent &)> after; ///< may be empty
  std::function<void(const SearchEffort &)> searched; ///< after the orders are chosen; may be empty
};

/// Runs the passes from the initial program on; verifies as `hooks` say. Throws Error(Usage) when
/// `hooks` turns off a pass that is needed or unknown; Error(MemoryBound) is not checked here.
TableProgram runPlanPasses(TableProgram program, const PassInput &input, const PlanHooks &hooks);
/// One pass, shown to hooks.after; not verified. `changed` of its event is told as true.
TableProgram runPlanPass(TableProgram program, const PlanPass &pass, const PassInput &input,
                         const PlanHooks &hooks);
/// The passes of one stage alone, on what those of the stages before it made.
TableProgram runPlanPasses(TableProgram program, const PassInput &input, const PlanHooks &hooks,
                           PassStage stage);

} // namespace mpf
