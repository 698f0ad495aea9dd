#include "runtime/schedule/verify_launch_plan.h"

#include "runtime/schedule/launch_use.h"
#include "runtime/schedule/launch_words.h"

#include <algorithm>
#include <fmt/core.h>
#include <optional>

namespace mpf {

namespace {

bool sharesBytes(const std::vector<ByteRange> &a, const std::vector<ByteRange> &b) {
  for (const ByteRange &x : a)
    for (const ByteRange &y : b)
      if (x.begin < y.end && y.begin < x.end)
        return true;
  return false;
}

/// Walks over the launches and the operations together.
class Coverage {
public:
  Coverage(const LaunchPlan &plan, const Bundle &bundle, const std::vector<char> &runs)
      : launches_(plan.launches), bundle_(bundle), runs_(runs) {}

  std::string fault() {
    for (uint32_t i = 0; i < bundle_.operations.size();) {
      if (!isLaunched(i)) {
        ++i;
        continue;
      }
      if (const std::string fault = takeGroup(i); !fault.empty())
        return fault;
    }
    if (at_ != launches_.size())
      return fmt::format("launch {} is of operation {}, which is done already or does not run", at_,
                         launches_[at_].first);
    return "";
  }

private:
  bool isLaunched(uint32_t i) const {
    return !bundle_.operations[i].accumulates && (runs_.empty() || runs_[i] != 0);
  }
  bool isNext(LaunchKind kind, uint32_t i) const {
    return at_ < launches_.size() && launches_[at_].kind == kind && launches_[at_].first == i &&
           (kind == LaunchKind::Chain || launches_[at_].count == 1);
  }

  /// The launches of operation `i`, or of the chain or run that starts with it; `i` moves behind.
  std::string takeGroup(uint32_t &i) {
    if (isNext(LaunchKind::Chain, i))
      return takeChain(i);
    return takeOperation(i);
  }

  std::string takeChain(uint32_t &i) {
    const BundleChain *chain = chainAt(bundle_, i);
    if (chain == nullptr || chain->count != launches_[at_].count)
      return fmt::format("launch {}: no chain of {} operations starts at {}", at_,
                         launches_[at_].count, i);
    for (uint32_t k = i; k < i + chain->count; ++k)
      if (!isLaunched(k))
        return fmt::format("launch {}: operation {} of the chain does not run", at_, k);
    const LaunchArithmetic arithmetic = launches_[at_++].arithmetic;
    const uint32_t end = i + chain->count;
    if (arithmetic == LaunchArithmetic::Always) {
      i = end;
      return "";
    }
    if (arithmetic != LaunchArithmetic::IfExact)
      return fmt::format("launch {}: a chain runs always or if-exact", at_ - 1);
    while (i < end)
      if (const std::string fault = takeOperation(i); !fault.empty())
        return fault;
    return i == end ? ""
                    : fmt::format("a run of small operations goes beyond the chain at {}", end);
  }

  std::string takeOperation(uint32_t &i) {
    if (at_ == launches_.size())
      return fmt::format("operation {} has no launch", i);
    const Launch launch = launches_[at_];
    if (launch.first != i)
      return fmt::format("launch {} is of operation {}, where {} is due", at_, launch.first, i);
    if (launch.kind == LaunchKind::SmallOperations)
      return takeRun(i);
    if (launch.count != 1)
      return fmt::format("launch {}: {} takes one operation, not {}", at_,
                         wordOf(kLaunchKindWords, launch.kind), launch.count);
    ++at_;
    if (launch.kind == LaunchKind::Specialised) {
      if (!bundle_.operations[i].kernel)
        return fmt::format("operation {} has no specialised kernel", i);
      if (launch.arithmetic == LaunchArithmetic::IfExact) {
        if (!isNext(LaunchKind::Fallback, i) ||
            launches_[at_].arithmetic != LaunchArithmetic::IfInexact)
          return fmt::format("operation {} may be inexact and has no fallback", i);
        ++at_;
        return takeNormalise(i);
      }
      if (launch.arithmetic != LaunchArithmetic::Always)
        return fmt::format("launch {}: a specialised kernel runs always or if-exact", at_ - 1);
      ++i;
      return "";
    }
    if (launch.kind != LaunchKind::TableDriven)
      return fmt::format("launch {}: operation {} cannot start with {}", at_ - 1, i,
                         wordOf(kLaunchKindWords, launch.kind));
    if (isNext(LaunchKind::Normalise, i))
      ++at_;
    ++i;
    return "";
  }

  /// Behind a fallback, which leaves logarithms: whole numbers have none.
  std::string takeNormalise(uint32_t &i) {
    if (!isIntegerType(bundle_.type)) {
      if (!isNext(LaunchKind::Normalise, i))
        return fmt::format("operation {} may leave logarithms and is not normalised", i);
      ++at_;
    }
    ++i;
    return "";
  }

  std::string takeRun(uint32_t &i) {
    const Launch &launch = launches_[at_];
    if (launch.count > bundle_.operations.size() - i)
      return fmt::format("launch {}: there are no {} operations from {} on", at_, launch.count, i);
    for (uint32_t k = i; k < i + launch.count; ++k) {
      if (!isLaunched(k))
        return fmt::format("launch {}: operation {} does not run", at_, k);
      if (bundle_.operations[k].loop != bundle_.operations[i].loop)
        return fmt::format("launch {}: operations {} and {} are in different loops", at_, i, k);
    }
    i += launch.count;
    ++at_;
    return "";
  }

  const std::vector<Launch> &launches_;
  const Bundle &bundle_;
  const std::vector<char> &runs_;
  size_t at_ = 0; ///< launch
};

/// A launch that waits when it begins lets the next one start only then: only itself can still run.
/// One that waits later starts, and lets the next start, while all others may run.
std::string findHazard(const LaunchPlan &plan, const Bundle &bundle) {
  std::vector<LaunchUse> uses;
  for (const Launch &launch : plan.launches)
    uses.push_back(useOf(bundle, launch));
  size_t oldest = 0;           // from this one on, all may still run when launch i starts; and:
  std::optional<size_t> chain; // it ran in the place of the launches behind it, or they did
  uint32_t chainEnd = 0;       // operations before it are those of the last such chain
  const auto conflicts = [&](size_t i, size_t before) {
    return sharesBytes(uses[i].writes, uses[before].reads) ||
           sharesBytes(uses[i].writes, uses[before].writes);
  };
  for (size_t i = 0; i < plan.launches.size(); ++i) {
    const Launch &launch = plan.launches[i];
    if (launch.wait == WaitPoint::Begin) {
      oldest = i;
      if (launch.first >= chainEnd)
        chain.reset();
    } else if (!uses[i].reads.empty()) {
      return fmt::format("launch {} reads results and does not wait when it begins", i);
    }
    std::optional<size_t> conflict;
    if (launch.wait == WaitPoint::End) {
      if (chain && launch.first >= chainEnd && conflicts(i, *chain))
        conflict = chain;
      for (size_t before = oldest; before < i; ++before)
        if (conflicts(i, before))
          conflict = before;
    }
    if (conflict)
      return fmt::format("launch {} writes memory of launch {}, which may still run", i, *conflict);
    if (launch.kind == LaunchKind::Chain && launch.arithmetic == LaunchArithmetic::IfExact) {
      chain = i;
      chainEnd = launch.first + launch.count;
    }
  }
  return "";
}

/// The specialised kernel that it launches, by its number; none: the table-driven ones.
std::optional<uint32_t> specialisedKernel(const Launch &launch, const Bundle &bundle) {
  if (launch.kind == LaunchKind::Chain)
    return chainAt(bundle, launch.first)->kernel;
  if (launch.kind == LaunchKind::Specialised)
    return bundle.operations[launch.first].kernel;
  return std::nullopt;
}

/// Expects that the plan covers the bundle's operations.
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

} // namespace

std::string findFault(const LaunchPlan &plan, const Bundle &bundle, const std::vector<char> &waits,
                      const std::vector<char> &runs) {
  for (size_t i = 0; i < plan.launches.size(); ++i) {
    const Launch &launch = plan.launches[i];
    if (launch.first >= bundle.operations.size() || launch.count == 0 || launch.gridBlocks == 0)
      return fmt::format("launch {} is of {} operations from {} on, in {} blocks; there are {}", i,
                         launch.count, launch.first, launch.gridBlocks, bundle.operations.size());
  }
  if (std::string fault = Coverage(plan, bundle, runs).fault(); !fault.empty())
    return fault;
  if (std::string fault = findKernelFault(plan, bundle, waits); !fault.empty())
    return fault;
  return findHazard(plan, bundle);
}

} // namespace mpf
