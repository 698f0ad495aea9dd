#include "runtime/schedule/build_launch_plan.h"

#include "codegen/bundle/table_driven_shape.h"
#include "dsl/support/check.h"
#include "runtime/schedule/launch_use.h"
#include "runtime/schedule/range_bounds.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace mpf {

namespace {

constexpr uint64_t kTableBlocksPerSm = 8; ///< of the table-driven kernels, which then loop

class Builder {
public:
  Builder(const Bundle &bundle, const LaunchOptions &options)
      : bundle_(bundle), options_(options), proven_(provablyLinear(bundle, options.inputStates)) {}

  LaunchPlan build() {
    size_t chain = 0; // the first that does not end before operation i
    for (uint32_t i = 0; i < bundle_.operations.size(); ++i) {
      while (chain < bundle_.chains.size() && endOf(bundle_.chains[chain]) <= i)
        ++chain;
      if (bundle_.operations[i].accumulates || !runs(i))
        continue;
      const bool starts = options_.grouped && chain < bundle_.chains.size() &&
                          bundle_.chains[chain].first == i &&
                          runsWhole(bundle_.chains[chain], options_.runs);
      if (starts) {
        addChain(bundle_.chains[chain], proven_.chains[chain]);
        i = endOf(bundle_.chains[chain]) - 1;
      } else {
        addOperation(i);
      }
    }
    return std::move(plan_);
  }

private:
  static uint32_t endOf(const BundleChain &chain) { return chain.first + chain.count; }
  bool runs(uint32_t i) const { return options_.runs.empty() || options_.runs[i] != 0; }

  void addChain(const BundleChain &chain, bool proven) {
    const bool decided = proven || bundle_.forcedLog;
    Launch launch{LaunchKind::Chain, chain.first, chain.count,
                  decided ? LaunchArithmetic::Always : LaunchArithmetic::IfExact};
    launch.gridBlocks = bundle_.kernels[chain.kernel].gridBlocks;
    push(launch, chain.kernel);
    if (decided)
      return;
    const LaunchUse use = useOf(bundle_, launch);
    for (uint32_t i = chain.first; i < endOf(chain); ++i)
      addOperation(i);
    window_.note(use); // one of the two ways ran, and either may be unfinished
    joinable_ = false;
  }

  void addOperation(uint32_t i) {
    const BundleOperation &operation = bundle_.operations[i];
    const bool mayTurnLog = !proven_.operations[i] && !bundle_.forcedLog;
    const LaunchArithmetic table =
        bundle_.forcedLog ? LaunchArithmetic::Log : LaunchArithmetic::Either;
    if (operation.kernel) {
      Launch launch{LaunchKind::Specialised, i, 1,
                    mayTurnLog ? LaunchArithmetic::IfExact : LaunchArithmetic::Always};
      launch.gridBlocks = bundle_.kernels[*operation.kernel].gridBlocks;
      push(launch, *operation.kernel);
      if (mayTurnLog)
        pushTable(LaunchKind::Fallback, i, LaunchArithmetic::IfInexact);
    } else if (operation.addresses() <= kOneBlockAddresses) {
      addSmall(i, table); // normalised inside
      return;
    } else {
      pushTable(LaunchKind::TableDriven, i, table);
    }
    if (mayTurnLog && !isIntegerType(bundle_.type))
      pushTable(LaunchKind::Normalise, i, LaunchArithmetic::Either);
  }

  /// Small operations of one loop that follow each other share a launch.
  void addSmall(uint32_t i, LaunchArithmetic arithmetic) {
    if (options_.grouped && joinable_ && !plan_.launches.empty()) {
      Launch &last = plan_.launches.back();
      if (last.kind == LaunchKind::SmallOperations && last.first + last.count == i &&
          bundle_.operations[last.first].loop == bundle_.operations[i].loop) {
        ++last.count;
        window_.addSerial(useOf(bundle_, last));
        return;
      }
    }
    push({LaunchKind::SmallOperations, i, 1, arithmetic}, *bundle_.tableDriven);
  }

  void pushTable(LaunchKind kind, uint32_t i, LaunchArithmetic arithmetic) {
    const uint64_t kept = bundle_.operations[i].keptAddresses();
    const uint64_t threads =
        saturatingMul(kept, tableDrivenLanes(kept, bundle_.operations[i].reducedAddresses()));
    Launch launch{kind, i, 1, arithmetic};
    launch.gridBlocks =
        std::clamp<uint64_t>(threads / kTableDrivenThreads + (threads % kTableDrivenThreads != 0),
                             1, uint64_t{options_.multiprocessors} * kTableBlocksPerSm);
    push(launch, *bundle_.tableDriven);
  }

  void push(Launch launch, uint32_t kernel) {
    const bool waits =
        kernel != *bundle_.tableDriven && !options_.waits.empty() && options_.waits[kernel] != 0;
    if (waits)
      launch.wait = window_.add(useOf(bundle_, launch));
    else
      window_.addSerial(useOf(bundle_, launch));
    plan_.launches.push_back(launch);
    joinable_ = true;
  }

  const Bundle &bundle_;
  const LaunchOptions &options_;
  const ProvenRanges proven_;
  LaunchWindow window_;
  LaunchPlan plan_;
  bool joinable_ = false; ///< nothing but the last launch decides whether a run goes on
};

/// Exponents of the entries.
TableState rangeOf(const std::vector<double> &values) {
  TableState state;
  for (const double value : values) {
    if (value == 0 || !std::isfinite(value))
      continue;
    const int32_t exponent = std::ilogb(value);
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
  std::map<const void *, TableState> known; // looked up only: many factors share a table
  for (const BundleInput &input : bundle.inputs) {
    TableState &state = states[input.buffer.index()];
    if (!input.table) {
      state = {0, widest.least, widest.greatest, 0};
      continue;
    }
    const auto &values = bundle.tables[*input.table];
    const auto [at, isNew] = known.try_emplace(values.get());
    if (isNew)
      at->second = rangeOf(*values);
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
