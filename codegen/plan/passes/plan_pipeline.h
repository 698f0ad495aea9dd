// Lists the passes of the planner, as data, and runs them. In this order they make:
//
//   initial-program    one operation over everything, of model and query (initial_program.h)
//   order-variables    scopes in the chosen global order                 (pass_order_variables.h)
//   eliminate          one operation per variable: the bucket tree       (pass_eliminate.h)
//   join-buckets       variables eliminated jointly                      (pass_join_buckets.h)
//   merge-operands     products of small tables of large buckets         (pass_merge_operands.h)
//   bound-operands     at most kMaxOperands tables per operation         (pass_bound_operands.h)
//   order-operations   depth first order, for the least memory           (pass_order_operations.h)
//   downward           downward messages and marginals                   (pass_downward.h)
//   contract-operands  contraction trees of wide operations              (pass_contract_operands.h)
//   split-reductions   long sums with few results in two steps           (pass_split_reductions.h)
//   nest-operations    loops of a sliced program inside each other       (pass_nest_operations.h)
//   share-tables       equal tables stored, equal messages computed once (pass_share_tables.h)
//   keep-messages      messages that outlast a run                       (pass_keep_messages.h)
//   recompute-messages messages computed again, to save memory  (pass_recompute_messages.h)
//   split-k            long sums with few results in splits              (pass_split_k.h)
//   find-chains        chains of operations for one GPU kernel           (pass_find_chains.h)
//   pack-tables        constants of zeros and ones as bits               (pass_pack_tables.h)
//   lay-out-tables     storage orders that GPU kernels gain by           (pass_lay_out_tables.h)
//   separate-branches  no memory shared between branches of the tree (pass_separate_branches.h)
#pragma once

#include "codegen/plan/initial/input_contents.h"
#include "codegen/plan/order/choose_order.h"
#include "codegen/plan/passes/pass_recompute_messages.h"
#include "codegen/plan/passes/pass_separate_branches.h"
#include "codegen/plan/program/device_costs.h"
#include "codegen/plan/program/plan_options.h"
#include "codegen/plan/program/program_memory.h"
#include "codegen/plan/program/table_program.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

/// The queries that need a pass, so that it cannot be turned off.
enum class PassNeed {
  Optional,
  BucketTree, ///< needed by marginals, best assignments and slices, which use the bucket tree
  Always,
};

/// The input of the passes besides the program.
struct PassInput {
  const OrderChoice &order;
  const InputContents &contents; ///< contents of the inputs
  KeptMessages keep = KeptMessages::None;
  DeviceCosts *costs = nullptr;            ///< null: the passes that ask (PassAsks) are not run
  std::optional<RecomputeBound> recompute; ///< nothing: every message is computed once
  bool changesForGpu = true;               ///< false: passes of PassAsks::Operations are not run
  std::optional<BranchTerms> branches;     ///< nothing: branches may share memory
  SearchLimits limits; ///< its times and flag end the searches of the Storing passes
};

/// The inputs that a pass depends on besides the program, and when it runs.
enum class PassStage {
  Shaping, ///< depends on PassInput's order and contents only
  Fitting, ///< depends on all of PassInput; runs after all Shaping passes
  Device,  ///< changes operations for a GPU, which takes predictions: runs on the one program that
           ///< was chosen, never on those that were only tried
  Storing, ///< depends on all of PassInput; runs last, because it changes neither the work nor the
           ///< least memory by which plans are compared
};

inline constexpr PassStage kPassStages[] = {PassStage::Shaping, PassStage::Fitting,
                                            PassStage::Device, PassStage::Storing};

/// The question that a pass asks PassInput::costs.
enum class PassAsks {
  Nothing,
  Operations, ///< asks about operations and changes them, which takes memory: chains, split sums
  Storage,    ///< asks about storage and changes how tables are stored
};

/// The pass that a program must have been through before another pass can run on it alone
/// (run_pass.h).
enum class PlanProgress {
  Initial,
  Buckets,    ///< eliminate, if the query decodes an assignment
  Bounded,    ///< bound-operands
  AllOutputs, ///< downward, if the query asks for marginals
  Nested,     ///< nest-operations: the program could be run
};

/// One row of the list of passes.
struct PlanPass {
  std::string_view name;
  void (*run)(TableProgram &program, const PassInput &input);
  PassNeed need = PassNeed::Optional;
  PassStage stage = PassStage::Shaping;
  PassAsks asks = PassAsks::Nothing;
  PlanProgress earliest = PlanProgress::Initial;
  /// Whether the program shows that it has been through the pass (pass_traces.h). Null: its results
  /// look like those of other passes.
  bool (*hasRun)(const TableProgram &program) = nullptr;
  bool takesOrder = false; ///< uses PassInput::order, for which a search is needed
};

/// Returns all passes in the order in which they run, without "initial-program", which comes before
/// them.
const std::vector<PlanPass> &planPasses();
/// The pass of this name, or null.
const PlanPass *findPlanPass(std::string_view name);

/// The effect of one pass, for --print-after, --print-changed and --time-passes.
struct PassEvent {
  std::string_view pass;
  const TableProgram &program;
  bool changed = true; ///< whether its text differs from that before; true without compareText
  double seconds = 0;  ///< wall-clock time; never influences the plan
};

/// The orders that the passes start from.
struct OrdersFound {
  double operations = 0; ///< modelled operations of the cheapest order; may be infinite
};

/// Options for running and observing the passes. A plain value.
struct PlanHooks {
  std::vector<std::string> offPasses; ///< names of passes to leave out
  /// Verify the program after each pass (a program of more than 20,000 operations only at the ends
  /// of the Fitting and Storing stages). False: the final program alone is verified, by the caller
  /// (plan_trials.h).
  bool verify = true;
  bool compareText =
      false; ///< find out PassEvent::changed, by printing the program after each pass
  std::function<void(const PassEvent &)> after; ///< called after each pass; may be empty
  SearchListener afterRound; ///< called after each round of the search for orders; may be empty
  SearchListener searched;   ///< called after the search for orders; may be empty
  std::function<void(const OrdersFound &)> ordered; ///< called after that; may be empty
};

/// Runs all passes on an initial program. Throws Error(Usage) when `hooks` turns off a pass that is
/// needed or unknown, and Error(Internal) when a program that is verified has a fault. The memory
/// bound is only checked where input.recompute demands it.
TableProgram runPlanPasses(TableProgram program, const PassInput &input, const PlanHooks &hooks);
/// Runs one pass and calls hooks.after, always with `changed`. Does not verify, and ignores all
/// other hooks.
TableProgram runPlanPass(TableProgram program, const PlanPass &pass, const PassInput &input,
                         const PlanHooks &hooks);
/// Runs the passes of one stage on a program that has been through the stages before. Throws as
/// above.
TableProgram runPlanPasses(TableProgram program, const PassInput &input, const PlanHooks &hooks,
                           PassStage stage);

} // namespace mpf
