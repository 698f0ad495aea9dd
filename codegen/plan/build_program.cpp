#include "codegen/plan/build_program.h"

#include "codegen/plan/choose_order.h"
#include "codegen/plan/initial_program.h"
#include "codegen/plan/order_problem.h"
#include "codegen/plan/plan_trials.h"
#include "codegen/plan/slice_variables.h"
#include "codegen/plan/stationary_order.h"
#include "codegen/simplify/query_support.h"
#include "dsl/source/text_error.h"
#include "dsl/support/number_text.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace mpf {

namespace {

/// The search for the least memory gets this share of the steps of the first one.
constexpr uint64_t kLeastShare = 16;

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

/// What the bound costs.
void reportSlices(const TableProgram &program, const Query &query, const SliceSearch &search,
                  const SmallestPeak &unsliced, const PlanOptions &options,
                  Diagnostics &diagnostics) {
  if (search.sliced.empty())
    return; // another order was enough
  diagnostics.report(
      {Severity::Performance,
       query.place,
       fmt::format("query {} runs in {:.0f} slices ({}) to stay within {}: {:.2f} times the work "
                   "of the plan without a bound; without slices it takes at least {}",
                   query.name, search.slices, slicedNames(program, search),
                   formatBytes(options.maxMemoryBytes), search.workFactor, unsliced.text()),
       {}});
}

/// Of networks far beyond any memory the search gives up half way: those orders leave variables
/// out.
std::vector<OrderChoice> completeOrders(const TableProgram &initial,
                                        const std::vector<OrderChoice> &choices) {
  std::vector<OrderChoice> complete;
  std::copy_if(
      choices.begin(), choices.end(), std::back_inserter(complete),
      [&](const OrderChoice &choice) { return choice.order.size() == initial.order.size(); });
  return complete;
}

/// Equal ones once.
uint64_t inputBytes(const TableProgram &program, const InputContents &contents, ElementType type) {
  const std::vector<TableId> first = contents.firstEqual(program);
  double elems = 0;
  for (size_t i = 0; i < first.size(); ++i)
    if (program.tables[i].isInput() && first[i] == TableId{i})
      elems += static_cast<double>(program.tables[i].sizeElems);
  const double bytes = elems * elementBytes(type);
  return bytes < 1e19 ? static_cast<uint64_t>(bytes) : UINT64_MAX;
}

} // namespace

bool hasSignedValues(const Model &model, const Query &query) {
  if (query.combine == Combine::Plus)
    return false;
  return std::any_of(query.factors.begin(), query.factors.end(), [&model](FactorId id) {
    const TableValues &values = model.factor(id).values;
    return values &&
           std::any_of(values->begin(), values->end(), [](double value) { return value < 0; });
  });
}

namespace {

/// The passes show the final program only.
PlanHooks quietHooks(const PlanHooks &hooks) {
  PlanHooks quiet;
  quiet.offPasses = hooks.offPasses;
  return quiet;
}

/// Everything that is known about one query while it is planned.
struct Planning {
  const Model &model;
  const Query &query;
  const TableProgram &initial;
  const InputContents &contents;
  const PlanOptions &options;
  const PlanHooks &hooks;
  const bool isSigned;
};

struct Accepted {
  TableProgram program;
  uint64_t peakBytes = 0;
};

/// The program of an order that makes subprograms equal, if it costs less than `found`.
std::optional<Accepted> stationaryProgram(const Planning &planning, const TableProgram &found) {
  const auto &[model, query, initial, contents, options, hooks, isSigned] = planning;
  const auto &off = hooks.offPasses;
  if (options.order != OrderMethod::Auto ||
      std::find(off.begin(), off.end(), "share-tables") != off.end())
    return std::nullopt;
  const std::optional<OrderChoice> order = stationaryOrder(model, initial, contents, found);
  if (!order || order->log2Largest > kHopelessLog2Elems)
    return std::nullopt;
  const PlanHooks quiet = quietHooks(hooks);
  PlanTrials trials(initial, contents, options, quiet, isSigned);
  trials.run(*order);
  if (!trials.accepted() || modelledLoads(*trials.accepted()) >= modelledLoads(found))
    return std::nullopt;
  return Accepted{hooks.after ? trials.acceptedShown(hooks) : std::move(*trials.accepted()),
                  trials.acceptedBytes()};
}

/// The first of the orders whose plan is within the bound without slices.
std::optional<Accepted> planWhole(const Planning &planning, const std::vector<OrderChoice> &orders,
                                  SmallestPeak &smallest) {
  PlanTrials trials(planning.initial, planning.contents, planning.options, planning.hooks,
                    planning.isSigned);
  for (const OrderChoice &order : orders) {
    if (order.log2Largest > kHopelessLog2Elems)
      trials.skip(order);
    else
      trials.run(order);
    if (trials.accepted()) {
      if (auto program = stationaryProgram(planning, *trials.accepted()))
        return program;
      return Accepted{std::move(*trials.accepted()), trials.acceptedBytes()};
    }
  }
  smallest = trials.smallest();
  return std::nullopt;
}

/// True when there is more memory than options.maxMemoryBytes, which is raised to it.
bool raiseBound(PlanOptions &options) {
  const std::optional<MemoryBound> more =
      options.largerBound ? options.largerBound() : std::nullopt;
  if (!more || more->bytes <= options.maxMemoryBytes)
    return false;
  options.maxMemoryBytes = more->bytes;
  return true;
}

struct Sliced {
  SliceSearch search;
  std::optional<TableProgram> program; ///< within the bound
};

/// The plan of `search`, as `trials` kept it.
std::optional<TableProgram> keptProgram(const Planning &planning, PlanTrials &trials,
                                        const SliceSearch &search) {
  if (!search.fits)
    return std::nullopt;
  TableProgram program = trials.finished(planning.hooks, planning.options.chains);
  if (search.stopped)
    program.searchRounds = 0; // no number of rounds repeats it
  return program;
}

/// The search tries many orders: chains are looked for in the one that it takes.
PlanOptions withoutChains(PlanOptions options) {
  options.chains = nullptr;
  return options;
}

/// As little work as the search finds within the bound.
Sliced sliceWithinBound(const Planning &planning, const std::vector<OrderChoice> &orders) {
  const PlanHooks quiet = quietHooks(planning.hooks);
  const PlanOptions single = withoutChains(planning.options);
  PlanTrials trials(planning.initial, planning.contents, single, quiet, planning.isSigned);
  const SliceSearch search =
      searchSlices(planning.model, planning.initial, orders, planning.options,
                   inputBytes(planning.initial, planning.contents, planning.options.type),
                   [&trials](const OrderChoice &order) { return trials.run(order); });
  return {search, keptProgram(planning, trials, search)};
}

/// As little memory as there is a way to, until it is within the bound. The way does not depend on
/// the bound: whoever is told the smallest peak can have it.
Sliced sliceToTheLeast(const Planning &planning, SmallestPeak &smallest) {
  PlanOptions least = planning.options;
  least.maxMemoryBytes = 1;
  least.searchSteps /= kLeastShare;
  least.search.seconds.reset();
  least.search.rounds.reset();
  Diagnostics unheard;
  const OrderChoices found = chooseOrders(planning.model, planning.initial, least, unheard);
  const std::vector<OrderChoice> orders = completeOrders(planning.initial, found.choices);
  if (orders.empty())
    return {};
  const PlanHooks quiet = quietHooks(planning.hooks);
  const PlanOptions single = withoutChains(planning.options);
  PlanTrials trials(planning.initial, planning.contents, single, quiet, planning.isSigned);
  const auto trial = [&](const OrderChoice &order) {
    const uint64_t bytes = trials.run(order);
    return bytes <= planning.options.maxMemoryBytes ? 0 : bytes; // within the bound is good enough
  };
  SliceSearch search =
      searchSlices(planning.model, planning.initial, orders, least,
                   inputBytes(planning.initial, planning.contents, planning.options.type), trial);
  search.stopped |= found.effort.stopped;
  smallest.take(trials.smallest());
  return {search, keptProgram(planning, trials, search)};
}

} // namespace

TableProgram buildProgram(const Model &model, const Query &query, const PlanOptions &asked,
                          Diagnostics &diagnostics, const PlanHooks &hooks) {
  checkElementType(model, query, asked.type);
  TableProgram initial = initialProgram(model, query, diagnostics);
  if (hooks.after)
    hooks.after({"initial-program", initial, true, 0});
  PlanOptions options = asked;
  if (options.search.seconds && !options.search.rounds) // of everything, slices too
    options.search.deadline =
        std::min(options.search.deadline, deadlineAfter(*options.search.seconds));
  const OrderChoices orders = chooseOrders(model, initial, options, diagnostics);
  if (hooks.searched)
    hooks.searched(orders.effort);
  initial.searchRounds = orders.effort.hurried ? 0 : orders.effort.rounds;
  const InputContents contents(model, options.finalTables);
  const Planning planning{
      model, query, initial, contents, options, hooks, hasSignedValues(model, query)};
  const std::vector<OrderChoice> complete = completeOrders(initial, orders.choices);
  SmallestPeak smallest;
  std::optional<Accepted> whole = planWhole(planning, orders.choices, smallest);
  if (!whole && !complete.empty() && raiseBound(options))
    whole = planWhole(planning, orders.choices, smallest);
  if (whole) {
    warnMemory(whole->program, query, whole->peakBytes, options, diagnostics);
    return std::move(whole->program);
  }
  std::string how = "with the best order found";
  if (options.maxMemoryBytes != UINT64_MAX && !complete.empty()) {
    Sliced sliced;
    if (options.maxMemoryBytes > inputBytes(initial, contents, options.type))
      sliced = sliceWithinBound(planning, complete);
    SmallestPeak least;
    if (!sliced.program)
      sliced = sliceToTheLeast(planning, least);
    if (sliced.program) {
      reportSlices(initial, query, sliced.search, smallest, options, diagnostics);
      return std::move(*sliced.program);
    }
    if (smallest.isAbove(least) && sliced.search.slices > 1)
      how += fmt::format(", in {:.3g} slices", sliced.search.slices);
    smallest.take(least);
  }
  if (SearchStop(options.search).now())
    how = "as far as the search came in its time";
  failAt(ErrorKind::MemoryBound, query.place,
         "query {} needs at least {} of memory {}, the bound is {}", query.name, smallest.text(),
         how,
         options.maxMemoryBytes == UINT64_MAX ? "what can be addressed, 2^64 bytes"
                                              : formatBytesExactly(options.maxMemoryBytes));
}

} // namespace mpf
