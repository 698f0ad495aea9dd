#include "codegen/plan/build_program.h"

#include "codegen/plan/initial/initial_program.h"
#include "codegen/plan/interleave_held.h"
#include "codegen/plan/order/choose_order.h"
#include "codegen/plan/plan_within_bound.h"
#include "codegen/plan/program/held_variables.h"
#include "codegen/plan/program/program_memory.h"
#include "codegen/simplify/state/query_support.h"
#include "dsl/source/text_error.h"
#include "dsl/support/number_text.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace mpf {

namespace {

void warnMemory(const TableProgram &program, const Query &query, uint64_t peakBytes,
                const PlanOptions &options, Diagnostics &diagnostics) {
  if (peakBytes > options.warnMemoryBytes)
    diagnostics.report(
        {Severity::Performance,
         query.place,
         fmt::format("query {} needs {} of memory", program.name, formatBytes(peakBytes)),
         {}});
}

std::string slicedNames(const TableProgram &program, const SliceSearch &search) {
  constexpr size_t kMostNames = 8;
  std::string names;
  for (size_t i = 0; i < search.sliced.size() && i < kMostNames; ++i)
    names += (i ? ", " : "") + program.variables[search.sliced[i].index()].name;
  return names + (search.sliced.size() > kMostNames ? ", ..." : "");
}

constexpr const char *kCutOff = "; the search for slices was ended before it was done: --emit=plan "
                                "keeps this plan, --plan-rounds finds another one";

/// Reports how much more work the program has because of the bound.
void reportCost(const TableProgram &initial, const Query &query, const BoundedPlan &plan,
                const WholePlans &whole, const PlanOptions &options, Diagnostics &diagnostics) {
  const bool sliced = !plan.slices.sliced.empty();
  if (!sliced && !plan.recomputes)
    return; // another order was enough
  std::string how, without = sliced ? "without slices it takes" : "to hold them all takes";
  if (sliced)
    how = fmt::format("runs in {:.0f} slices ({})", plan.slices.slices,
                      slicedNames(initial, plan.slices));
  if (plan.recomputes)
    how += sliced ? " and computes messages again" : "computes messages again";
  // The search without a bound may have ended before it found as good an order.
  const double factor = plan.addresses / whole.addresses;
  const std::string work =
      factor < 1 ? "no more work than" : fmt::format("{:.2f} times the work of", factor);
  diagnostics.report(
      {Severity::Performance,
       query.place,
       fmt::format("query {} {} to stay within {}: {} the plan without a bound; {} "
                   "at least {}{}",
                   query.name, how, formatBytes(options.maxMemoryBytes), work, without,
                   whole.smallest.text(), plan.slices.stopped ? kCutOff : ""),
       {}});
}

void warnFault(const Query &query, const std::string &fault, Diagnostics &diagnostics) {
  if (!fault.empty())
    diagnostics.report({Severity::Warning,
                        query.place,
                        fmt::format("query {} is planned without the memory of the GPU, for it "
                                    "failed: {}",
                                    query.name, fault),
                        {}});
}

/// Whether slices may be searched for. A query that has a whole answer for each state of its held
/// variables is not sliced: it needs less memory when fewer states are computed at once. Neither
/// are joined queries: each alone needs less memory.
bool mayBeSliced(const TableProgram &initial) {
  const QueryTraits &traits = traitsOf(initial.kind);
  return traits.outputs != QueryOutputs::Joints &&
         (!traits.asksEachVariable() || heldVariables(initial).empty());
}

/// Raises options.maxMemoryBytes to the bound of a device with more memory. Returns false if there
/// is no such device, or if it failed; then `fault` has the reason.
bool raiseBound(PlanOptions &options, std::string &fault) {
  const std::optional<MemoryBound> more =
      options.largerBound ? options.largerBound() : std::nullopt;
  if (more)
    fault = more->fault;
  if (!more || more->bytes <= options.maxMemoryBytes)
    return false;
  options.maxMemoryBytes = more->bytes;
  return true;
}

} // namespace

TableProgram buildProgram(const Model &model, const Query &query, const PlanOptions &asked,
                          Diagnostics &diagnostics, const PlanHooks &hooks) {
  checkElementType(model, query, asked.type);
  TableProgram initial = initialProgram(model, query, diagnostics);
  if (hooks.after)
    hooks.after({"initial-program", initial, true, 0});
  PlanOptions options = asked;
  if (options.search.seconds && !options.search.rounds) // the limit covers the whole planning,
                                                        // slices too
    options.search.deadline =
        std::min(options.search.deadline, deadlineAfter(*options.search.seconds));
  const InputContents contents(model, options.finalTables);
  const OrderChoices orders = chooseOrders(model, initial, options, diagnostics,
                                           {nullptr, nullptr, &contents, &hooks.afterRound});
  if (hooks.searched)
    hooks.searched(orders.effort);
  if (hooks.ordered && !orders.choices.empty())
    hooks.ordered({std::ranges::min(orders.choices, {}, &OrderChoice::cost).cost});
  initial.searchRounds = orders.effort.truncated ? 0 : orders.effort.rounds;
  const Planning planning{model,
                          query,
                          initial,
                          contents,
                          options,
                          hooks,
                          hasSignedProducts(initial, model, options.type)};
  const std::vector<OrderChoice> complete = completeOrders(initial, orders.choices);
  WholePlans whole = planWhole(planning, orders.choices, orders.fastest);
  const auto mayHold = [&whole] { return whole.plan && !whole.plan->recomputes; };
  std::string fault; // of the device with more memory
  if (!mayHold() && !complete.empty() && raiseBound(options, fault))
    whole = planWhole(planning, orders.choices, orders.fastest);
  if (mayHold()) {
    std::optional<BoundedPlan> sliced;
    if (mayBeSliced(initial))
      sliced = planFasterSliced(planning, complete, *whole.plan);
    const BoundedPlan &plan = sliced ? *sliced : *whole.plan;
    warnMemory(plan.program, query, plan.peakBytes, options, diagnostics);
    if (sliced)
      return std::move(sliced->program);
    return withFasterHeld(model, std::move(whole.plan->program), options);
  }
  std::string how = "with the best order found";
  if (options.maxMemoryBytes != UINT64_MAX && !complete.empty() && mayBeSliced(initial)) {
    const SlicedPlans sliced = planSliced(planning, complete, whole);
    if (const auto &plan = sliced.plan ? sliced.plan : whole.plan) {
      warnFault(query, fault, diagnostics);
      reportCost(initial, query, *plan, whole, options, diagnostics);
      return plan->program;
    }
    if (sliced.slicesTried > 1)
      how += fmt::format(", in {:.3g} slices", sliced.slicesTried);
    if (sliced.smallest.isKnown())
      whole.smallest = sliced.smallest; // the peak of the orders tried before depends on the bound
  }
  if (SearchStop(options.search).now())
    how = "as far as the search came in its time";
  failAt(ErrorKind::MemoryBound, query.place,
         "query {} needs at least {} of memory {}, the bound is {}{}", query.name,
         whole.smallest.text(), how,
         options.maxMemoryBytes == UINT64_MAX ? "what can be addressed, 2^64 bytes"
                                              : formatBytesExactly(options.maxMemoryBytes),
         fault.empty() ? "" : "; the GPU, which may have more, failed: " + fault);
}

} // namespace mpf
