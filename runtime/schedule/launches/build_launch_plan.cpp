#include "runtime/schedule/launches/build_launch_plan.h"

#include "codegen/bundle/table_driven_shape.h"
#include "codegen/bundle/table_map.h"
#include "dsl/support/check.h"
#include "dsl/support/wide_table.h"
#include "runtime/schedule/arena_order.h"
#include "runtime/schedule/launches/clique_collector.h"
#include "runtime/schedule/launches/launch_use.h"
#include "runtime/schedule/launches/linear_assumption.h"
#include "runtime/schedule/launches/operation_levels.h"
#include "runtime/schedule/launches/range_bounds.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace mpf {

namespace {

constexpr uint64_t kNormaliseBlocksPerSm = 8;

class Builder {
public:
  Builder(const Bundle &bundle, const LaunchOptions &options)
      : bundle_(bundle), options_(options), proven_(provablyLinear(bundle, options.inputStates)) {}

  LaunchPlan build() {
    const std::vector<std::vector<uint32_t>> order = options_.grouped
                                                         ? arenaOrder(bundle_, options_.runs)
                                                         : std::vector<std::vector<uint32_t>>();
    for (const Stretch &stretch : stretchesOf(bundle_, options_.runs))
      if (options_.grouped)
        addStretch(stretch, order);
      else
        for (const uint32_t i : stretch.operations)
          addOperation(i);
    return std::move(plan_);
  }

private:
  static uint32_t endOf(const BundleChain &chain) { return chain.first + chain.count; }

  /// Returns the chain that starts at operation i, if all of it runs and may run as one kernel.
  const BundleChain *wholeChainAt(uint32_t i) const {
    const BundleChain *chain = chainAt(bundle_, i);
    const bool isWhole = chain != nullptr && runsWhole(*chain, options_.runs) &&
                         (options_.hostLooks || isDecided(*chain));
    return isWhole ? chain : nullptr;
  }

  bool isProven(const BundleChain &chain) const {
    return proven_.chains[static_cast<size_t>(&chain - bundle_.chains.data())];
  }

  /// Whether a chain can run as one kernel without a look at recorded ranges.
  bool isDecided(const BundleChain &chain) const {
    return isProven(chain) || bundle_.forcedLog || assumes();
  }

  void addStretch(const Stretch &stretch, const std::vector<std::vector<uint32_t>> &order) {
    std::vector<uint32_t> starts;
    uint32_t chainEnd = 0;
    for (const uint32_t i : stretch.operations) {
      if (i < chainEnd)
        continue;
      starts.push_back(i);
      if (const BundleChain *chain = wholeChainAt(i))
        chainEnd = endOf(*chain);
    }
    const std::vector<LaunchUnit> units = unitsOf(stretch, starts, order);
    CliqueCollector collector(bundle_, units, options_.multiprocessors);
    for (const std::vector<uint32_t> &level : levelsOf(units))
      addLevel(level, units, collector);
    addCollected(collector);
    endLevels();
  }

  /// Adds a level. Its operations for the level kernel join the run of levels before it, or begin
  /// another one. Chains and specialised kernels follow.
  void addLevel(const std::vector<uint32_t> &level, const std::vector<LaunchUnit> &units,
                CliqueCollector &collector) {
    std::vector<uint32_t> collected, others;
    for (const uint32_t unit : level)
      (joinsLevel(units[unit].first) ? collected : others).push_back(unit);
    if (!collected.empty() && !collector.add(collected)) {
      addCollected(collector);
      MPF_CHECK(collector.add(collected), "an empty run refuses a level");
    }
    if (others.empty())
      return;
    addCollected(collector);
    endLevels();
    std::vector<uint32_t> specialised;
    for (const uint32_t unit : others)
      if (const BundleChain *chain = wholeChainAt(units[unit].first))
        addChain(*chain);
      else
        specialised.push_back(units[unit].first);
    addSpecialised(specialised);
  }

  bool joinsLevel(uint32_t i) const {
    return !bundle_.operations[i].kernel && wholeChainAt(i) == nullptr;
  }

  /// Ends a run of levels: it becomes a launch, which may be joined to the launches around it.
  void addCollected(CliqueCollector &collector) {
    if (collector.isEmpty())
      return;
    addMapping(collector.take());
  }

  void addMapping(LevelMapping mapping) {
    levels_.push_back(std::move(mapping));
    const std::vector<uint32_t> operations = operationsOf(levels_.back());
    if (std::any_of(operations.begin(), operations.end(),
                    [this](uint32_t i) { return isNormalised(i); }))
      endLevels();
  }

  /// Adds the launches of levels to the plan, before other launches follow.
  void endLevels() {
    for (LevelMapping &mapping : joinLevels(bundle_, std::exchange(levels_, {}), options_.joins))
      pushMapped(std::move(mapping));
  }

  void addChain(const BundleChain &chain) {
    const bool always = isProven(chain) || bundle_.forcedLog;
    Launch launch{LaunchKind::Chain, chain.first, chain.count,
                  always ? LaunchArithmetic::Always : unproven()};
    launch.gridBlocks = bundle_.kernels[chain.kernel].gridBlocks;
    push(launch, chain.kernel);
    if (isDecided(chain))
      return;
    const LaunchUse use = useOf(bundle_, plan_, launch);
    for (uint32_t i = chain.first; i < endOf(chain); ++i)
      addOperation(i);
    window_.note(use); // one of the two ways ran, and either may be unfinished
  }

  bool assumes() const { return options_.assumesLinear && mayAssumeLinear(bundle_); }

  /// Returns the arithmetic of a kernel for which linear arithmetic is not proven exact.
  LaunchArithmetic unproven() const {
    return assumes() ? LaunchArithmetic::Assumed : LaunchArithmetic::IfExact;
  }

  /// Whether a separate launch normalises the result, after the level that computes it.
  bool isNormalised(uint32_t i) const {
    return mayTurnLog(i) && leavesLogs(bundle_, i) && !assumes();
  }

  bool mayTurnLog(uint32_t i) const { return !proven_.operations[i] && !bundle_.forcedLog; }

  /// Adds separate launches for an operation.
  void addOperation(uint32_t i) {
    if (bundle_.operations[i].kernel)
      addSpecialised({i});
    else
      addMapping(mapAlone(bundle_, i, options_.multiprocessors));
    endLevels();
  }

  /// Adds operations of one level, each by its kernel. One launch has the fallbacks of all; it may
  /// be joined to later launches of levels.
  void addSpecialised(const std::vector<uint32_t> &operations) {
    std::vector<LaunchUnit> refused;
    for (const uint32_t i : operations) {
      const uint32_t kernel = *bundle_.operations[i].kernel;
      Launch launch{LaunchKind::Specialised, i, 1,
                    mayTurnLog(i) ? unproven() : LaunchArithmetic::Always};
      launch.gridBlocks = bundle_.kernels[kernel].gridBlocks;
      push(launch, kernel);
      if (mayTurnLog(i) && !assumes())
        refused.push_back({i, 1, {}});
    }
    if (refused.empty())
      return;
    std::vector<uint32_t> all(refused.size());
    std::iota(all.begin(), all.end(), 0);
    CliqueCollector collector(bundle_, refused, options_.multiprocessors);
    MPF_CHECK(collector.add(all), "an empty run refuses a level");
    addMapping(collector.take());
  }

  void pushMapped(LevelMapping mapping) {
    const std::vector<uint32_t> operations = operationsOf(mapping);
    const bool isFallback = std::all_of(operations.begin(), operations.end(), [this](uint32_t i) {
      return bundle_.operations[i].kernel.has_value();
    });
    Launch launch{isFallback ? LaunchKind::Fallback : LaunchKind::Level, operations.front(),
                  static_cast<uint32_t>(operations.size()),
                  isFallback          ? LaunchArithmetic::IfInexact
                  : bundle_.forcedLog ? LaunchArithmetic::Log
                                      : LaunchArithmetic::Either};
    launch.gridBlocks = mapping.blocks.size();
    launch.mapping = static_cast<uint32_t>(plan_.mappings.size());
    plan_.mappings.push_back(std::move(mapping));
    push(launch, *bundle_.tableDriven);
    for (const uint32_t i : operations)
      if (isNormalised(i))
        pushNormalise(i);
  }

  void pushNormalise(uint32_t i) {
    const uint64_t kept = bundle_.operations[i].keptAddresses();
    Launch launch{LaunchKind::Normalise, i, 1, LaunchArithmetic::Either};
    launch.gridBlocks =
        std::clamp<uint64_t>(kept / kTableDrivenThreads + (kept % kTableDrivenThreads != 0), 1,
                             uint64_t{options_.multiprocessors} * kNormaliseBlocksPerSm);
    push(launch, *bundle_.tableDriven);
  }

  void push(Launch launch, uint32_t kernel) {
    const bool waits =
        kernel != *bundle_.tableDriven && !options_.waits.empty() && options_.waits[kernel] != 0;
    if (waits)
      launch.wait = window_.add(useOf(bundle_, plan_, launch));
    else
      window_.addSerial(useOf(bundle_, plan_, launch));
    plan_.launches.push_back(launch);
  }

  const Bundle &bundle_;
  const LaunchOptions &options_;
  const ProvenRanges proven_;
  LaunchWindow window_;
  std::vector<LevelMapping> levels_; ///< launches of levels that endLevels will add to the plan
  LaunchPlan plan_;
};

/// Returns the least and greatest exponent of the entries.
TableState rangeOf(const StoredValues &values) {
  TableState state;
  for (uint64_t i = 0; i < values.size(); ++i) {
    const double value = values.mantissa(i);
    if (value == 0 || !std::isfinite(value))
      continue;
    const auto exponent = static_cast<int32_t>(std::ilogb(value) + values.exponent(i));
    state.minExponent = std::min(state.minExponent, exponent);
    state.maxExponent = std::max(state.maxExponent, exponent);
  }
  return state;
}

} // namespace

bool runsWhole(const BundleChain &chain, const std::vector<char> &runs) {
  if (runs.empty())
    return true;
  const auto first = runs.begin() + chain.first;
  return std::all_of(first, first + chain.count, [](char run) { return run != 0; });
}

std::vector<char> waitingKernels(const Bundle &bundle) {
  std::vector<char> waits;
  for (const BundleKernel &kernel : bundle.kernels)
    waits.push_back(startsByWaiting(kernel.source));
  return waits;
}

std::vector<TableState> rangesOfInputs(const Bundle &bundle) {
  const ExponentRange widest = exponentRange(bundle.type);
  std::vector<TableState> states(bundle.buffers.size());
  // Many factors share a table: find its range once.
  std::map<std::pair<const void *, uint64_t>, TableState> known;
  for (const BundleInput &input : bundle.inputs) {
    TableState &state = states[input.buffer.index()];
    if (!input.table) {
      state = {0, widest.least, widest.greatest, 0};
      continue;
    }
    const auto &values = bundle.tables[*input.table];
    const uint64_t elems = input.raw ? values->size() : valueCount(bundle, input);
    const auto [at, isNew] = known.try_emplace({values.get(), elems});
    if (isNew)
      at->second = rangeOf(StoredValues(*values, elems));
    state = at->second;
  }
  return states;
}

LaunchPlan buildLaunchPlan(const Bundle &bundle, const LaunchOptions &options) {
  MPF_CHECK(bundle.tableDriven.has_value(), "bundle {} was built without GPU kernels", bundle.name);
  MPF_CHECK(options.inputStates.size() == bundle.buffers.size(), "{} states for {} buffers",
            options.inputStates.size(), bundle.buffers.size());
  MPF_CHECK(options.runs.empty() || options.runs.size() == bundle.operations.size(),
            "{} flags for {} operations", options.runs.size(), bundle.operations.size());
  return Builder(bundle, options).build();
}

} // namespace mpf
