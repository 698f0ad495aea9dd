#include "runtime/schedule/launches/verify_launch_plan.h"

#include "runtime/schedule/launches/launch_use.h"
#include "runtime/schedule/launches/launch_words.h"
#include "runtime/schedule/launches/verify_mapping.h"

#include <algorithm>
#include <fmt/core.h>
#include <optional>
#include <set>

namespace mpf {

namespace {

bool sharesBytes(const std::vector<ByteRange> &a, const std::vector<ByteRange> &b) {
  for (const ByteRange &x : a)
    for (const ByteRange &y : b)
      if (x.begin < y.end && y.begin < x.end)
        return true;
  return false;
}

/// Walks over the launches and checks that each operation runs once, in one of the ways.
class Coverage {
public:
  Coverage(const LaunchPlan &plan, const Bundle &bundle, const std::vector<char> &runs)
      : plan_(plan), bundle_(bundle), runs_(runs), spans_(bundle.operations.size()) {}

  std::string fault() {
    for (; at_ < plan_.launches.size(); ++at_)
      if (const std::string fault = take(plan_.launches[at_]); !fault.empty())
        return fmt::format("launch {}: {}", at_, fault);
    if (const std::string fault = chain_ ? endChain() : findOpen(); !fault.empty())
      return fault;
    for (uint32_t i = 0; i < spans_.size(); ++i)
      if (isLaunched(i) && !spans_[i])
        return fmt::format("operation {} has no launch", i);
    return "";
  }

  /// Returns the launches of each operation that runs.
  const std::vector<std::optional<LaunchSpan>> &spans() const { return spans_; }

private:
  bool isLaunched(uint32_t i) const {
    return !bundle_.operations[i].accumulates && (runs_.empty() || runs_[i] != 0);
  }

  std::string take(const Launch &launch) {
    if (chain_ && !isInChain(launch))
      if (const std::string fault = endChain(); !fault.empty())
        return fault;
    if (launch.kind != LaunchKind::Chain && !isMapped(launch.kind) && launch.count != 1)
      return fmt::format("{} takes one operation, not {}", wordOf(kLaunchKindWords, launch.kind),
                         launch.count);
    switch (launch.kind) {
    case LaunchKind::Chain:
      return takeChain(launch);
    case LaunchKind::Specialised:
      return takeSpecialised(launch);
    case LaunchKind::Normalise:
      return takeNormalise(launch.first);
    case LaunchKind::Fallback:
    case LaunchKind::Level:
      break;
    }
    return takeMapped(launch);
  }

  /// Notes that operation i starts with this launch.
  std::string begin(uint32_t i) {
    if (!isLaunched(i))
      return fmt::format("operation {} does not run", i);
    if (spans_[i])
      return fmt::format("operation {} is done already", i);
    spans_[i] = LaunchSpan{at_, at_, chain_};
    return "";
  }

  /// Returns the fault that a fallback or a normalisation is missing; empty if none is.
  std::string findOpen() const {
    if (!refused_.empty())
      return fmt::format("operation {} may be inexact and has no fallback", *refused_.begin());
    if (!logs_.empty())
      return fmt::format("operation {} may leave logarithms and is not normalised", *logs_.begin());
    return "";
  }

  bool isInChain(const Launch &launch) const {
    const Launch &whole = plan_.launches[*chain_];
    const std::vector<uint32_t> operations = operationsOf(plan_, launch);
    return launch.kind != LaunchKind::Chain && operations.front() >= whole.first &&
           operations.back() - whole.first < whole.count;
  }

  /// Ends the launches that may run in place of a chain's.
  std::string endChain() {
    const Launch &whole = plan_.launches[*chain_];
    for (uint32_t i = whole.first; i < whole.first + whole.count; ++i)
      if (!spans_[i])
        return fmt::format("operation {} of a chain that may be inexact has no launch", i);
    chain_.reset();
    return findOpen();
  }

  std::string takeChain(const Launch &launch) {
    const BundleChain *chain = chainAt(bundle_, launch.first);
    if (chain == nullptr || chain->count != launch.count)
      return fmt::format("no chain of {} operations starts at {}", launch.count, launch.first);
    for (uint32_t i = launch.first; i < launch.first + launch.count; ++i)
      if (spans_[i])
        return fmt::format("operation {} is done already", i);
    if (launch.arithmetic == LaunchArithmetic::IfExact) {
      chain_ = at_;
      return "";
    }
    if (launch.arithmetic != LaunchArithmetic::Always &&
        launch.arithmetic != LaunchArithmetic::Assumed)
      return "a chain runs always, assumed or if-exact";
    for (uint32_t i = launch.first; i < launch.first + launch.count; ++i)
      if (const std::string fault = begin(i); !fault.empty())
        return fault;
    return "";
  }

  std::string takeSpecialised(const Launch &launch) {
    if (!bundle_.operations[launch.first].kernel)
      return fmt::format("operation {} has no specialised kernel", launch.first);
    if (launch.arithmetic == LaunchArithmetic::IfExact)
      refused_.insert(launch.first);
    else if (launch.arithmetic != LaunchArithmetic::Always &&
             launch.arithmetic != LaunchArithmetic::Assumed)
      return "a specialised kernel runs always, assumed or if-exact";
    return begin(launch.first);
  }

  std::string takeNormalise(uint32_t i) {
    if (!spans_[i])
      return fmt::format("operation {} cannot start with normalise", i);
    if (refused_.contains(i))
      return findOpen();
    if (!normalised_.insert(i).second)
      return fmt::format("operation {} is normalised already", i);
    spans_[i]->last = at_;
    logs_.erase(i);
    return "";
  }

  std::string takeMapped(const Launch &launch) {
    const LevelMapping &mapping = plan_.mappings[launch.mapping];
    const std::vector<uint32_t> operations = operationsOf(mapping);
    if (operations.front() != launch.first || operations.size() != launch.count ||
        mapping.blocks.size() != launch.gridBlocks)
      return fmt::format("it is of {} operations from {} on in {} blocks, its mapping vector of {} "
                         "from {} on in {}",
                         launch.count, launch.first, launch.gridBlocks, operations.size(),
                         operations.front(), mapping.blocks.size());
    if (launch.kind == LaunchKind::Fallback && launch.arithmetic != LaunchArithmetic::IfInexact)
      return "a fallback runs if-inexact";
    if (launch.kind == LaunchKind::Level && launch.arithmetic != LaunchArithmetic::Either &&
        launch.arithmetic != LaunchArithmetic::Log)
      return "a level runs in either arithmetic or in log";
    for (const uint32_t i : operations)
      if (const std::string fault = takeByLevel(launch, i); !fault.empty())
        return fault;
    return "";
  }

  /// Takes an operation of a level. An operation with a specialised kernel means its fallback.
  std::string takeByLevel(const Launch &launch, uint32_t i) {
    const bool isFallback = launch.kind == LaunchKind::Fallback || bundle_.operations[i].kernel;
    if (!isFallback)
      return begin(i);
    if (refused_.erase(i) == 0)
      return fmt::format("operation {} needs no fallback", i);
    spans_[i]->last = at_;
    if (leavesLogs(bundle_, i))
      logs_.insert(i);
    return "";
  }

  const LaunchPlan &plan_;
  const Bundle &bundle_;
  const std::vector<char> &runs_;
  size_t at_ = 0; ///< the current launch
  std::vector<std::optional<LaunchSpan>> spans_;
  std::set<uint32_t> refused_, logs_; ///< operations that need a fallback, or a normalisation
  std::set<uint32_t> normalised_;
  std::optional<size_t> chain_; ///< the chain that the current launches may replace
};

/// Finds a launch that writes memory of one that may still run. If a launch waits at its beginning,
/// no earlier launch runs when the next one starts. If it waits later, all may still run.
std::string findHazard(const LaunchPlan &plan, const Bundle &bundle) {
  std::vector<LaunchUse> uses;
  for (const Launch &launch : plan.launches)
    uses.push_back(useOf(bundle, plan, launch));
  constexpr size_t kNoLaunch = SIZE_MAX;
  size_t oldest = 0;        // launches from this one on may still run when launch i starts
  size_t chain = kNoLaunch; // a chain that may have run instead of launches after it: it may run
  const auto inChain = [&](const Launch &launch) { // whether a launch may replace the chain
    const Launch &whole = plan.launches[chain];
    return launch.first >= whole.first && launch.first - whole.first < whole.count;
  };
  const auto conflicts = [&](size_t i, size_t before) {
    return sharesBytes(uses[i].writes, uses[before].reads) ||
           sharesBytes(uses[i].writes, uses[before].writes);
  };
  for (size_t i = 0; i < plan.launches.size(); ++i) {
    const Launch &launch = plan.launches[i];
    if (launch.wait == WaitPoint::Begin) {
      oldest = i;
      if (chain != kNoLaunch && !inChain(launch))
        chain = kNoLaunch;
    } else if (!uses[i].reads.empty()) {
      return fmt::format("launch {} reads results and does not wait when it begins", i);
    }
    size_t conflict = kNoLaunch;
    if (launch.wait == WaitPoint::End) {
      if (chain != kNoLaunch && !inChain(launch) && conflicts(i, chain))
        conflict = chain;
      for (size_t before = oldest; before < i; ++before)
        if (conflicts(i, before))
          conflict = before;
    }
    if (conflict != kNoLaunch)
      return fmt::format("launch {} writes memory of launch {}, which may still run", i, conflict);
    if (launch.kind == LaunchKind::Chain && launch.arithmetic == LaunchArithmetic::IfExact)
      chain = i;
  }
  return "";
}

/// Returns the specialised kernel of a launch, by its number; none for table-driven kernels.
std::optional<uint32_t> specialisedKernel(const Launch &launch, const Bundle &bundle) {
  if (launch.kind == LaunchKind::Chain)
    return chainAt(bundle, launch.first)->kernel;
  if (launch.kind == LaunchKind::Specialised)
    return bundle.operations[launch.first].kernel;
  return std::nullopt;
}

/// Finds wrong numbers of blocks, and waits that kernels do not have. The plan must cover the
/// bundle's operations.
std::string findKernelFault(const LaunchPlan &plan, const Bundle &bundle,
                            const std::vector<char> &waits) {
  for (size_t i = 0; i < plan.launches.size(); ++i) {
    const Launch &launch = plan.launches[i];
    const std::optional<uint32_t> number = specialisedKernel(launch, bundle);
    if (number && launch.gridBlocks != bundle.kernels[*number].gridBlocks)
      return fmt::format("launch {} has {} blocks, kernel {} needs {}", i, launch.gridBlocks,
                         bundle.kernels[*number].name, bundle.kernels[*number].gridBlocks);
    const bool waitsItself = number && *number < waits.size() && waits[*number] != 0;
    if (launch.wait != WaitPoint::Begin && !waitsItself)
      return fmt::format("launch {} does not wait when it begins, and its kernel does not wait", i);
  }
  return "";
}

/// Finds faults of mapping vectors, which must be in the order of their launches. The other checks
/// expect them to be sound.
std::string findMappingFault(const LaunchPlan &plan, const Bundle &bundle,
                             uint64_t residentBlocks) {
  size_t mappings = 0;
  for (size_t i = 0; i < plan.launches.size(); ++i) {
    if (!isMapped(plan.launches[i].kind))
      continue;
    if (plan.launches[i].mapping != mappings || mappings == plan.mappings.size())
      return fmt::format("launch {} has mapping vector {} of {}, where {} is due", i,
                         plan.launches[i].mapping, plan.mappings.size(), mappings);
    if (std::string fault = findFault(plan.mappings[mappings++], bundle, residentBlocks);
        !fault.empty())
      return fmt::format("launch {}: {}", i, fault);
  }
  if (mappings != plan.mappings.size())
    return fmt::format("{} mapping vectors for {} launches", plan.mappings.size(), mappings);
  return "";
}

} // namespace

std::string findFault(const LaunchPlan &plan, const Bundle &bundle, const std::vector<char> &waits,
                      const std::vector<char> &runs, uint64_t residentBlocks) {
  for (size_t i = 0; i < plan.launches.size(); ++i) {
    const Launch &launch = plan.launches[i];
    if (launch.first >= bundle.operations.size() || launch.count == 0 || launch.gridBlocks == 0)
      return fmt::format("launch {} is of {} operations from {} on, in {} blocks; there are {}", i,
                         launch.count, launch.first, launch.gridBlocks, bundle.operations.size());
  }
  if (std::string fault = findMappingFault(plan, bundle, residentBlocks); !fault.empty())
    return fault;
  Coverage coverage(plan, bundle, runs);
  if (std::string fault = coverage.fault(); !fault.empty())
    return fault;
  if (std::string fault = findOrderFault(plan, bundle, runs, coverage.spans()); !fault.empty())
    return fault;
  if (std::string fault = findKernelFault(plan, bundle, waits); !fault.empty())
    return fault;
  return findHazard(plan, bundle);
}

} // namespace mpf
