#include "codegen/kernel/plan/verify_chain.h"

#include "codegen/kernel/plan/chain_layout.h"
#include "codegen/kernel/plan/chain_shape.h"
#include "codegen/kernel/plan/planned_name.h"
#include "dsl/support/counts.h"
#include "dsl/support/identifier.h"

#include <algorithm>

namespace mpf {

namespace {

constexpr uint64_t kMaxThreadTile = 1024;        ///< entries of a thread: above any real plan
constexpr uint64_t kMaxFetched = 4096;           ///< entries that one thread fetches
constexpr uint64_t kMaxStatements = 1u << 16;    ///< statements of one step, unrolled
constexpr uint64_t kMaxFactorEntries = 1u << 12; ///< entries in registers for one step

/// Returns a fault of the parts. Sorted by step, the parts of each digit must be the places of a
/// mixed-radix number.
std::string findPartFault(const ChainPlan &plan) {
  for (size_t d = 0; d < plan.form.digits.size(); ++d) {
    std::vector<std::pair<uint64_t, uint64_t>> places; // step, extent
    for (const ChainPart &part : plan.parts)
      if (part.digit.index() == d)
        places.emplace_back(part.step, part.extent);
    std::sort(places.begin(), places.end());
    uint64_t covered = 1;
    for (const auto &[step, extent] : places) {
      if (step != covered || extent == 0)
        return fmt::format("digit {} has a part of step {} where {} is due", d, step, covered);
      covered = saturatingMul(covered, extent);
    }
    if (covered != plan.form.digits[d].extent)
      return fmt::format("the parts of digit {} cover {} of {} values", d, covered,
                         plan.form.digits[d].extent);
  }
  for (size_t a = 0; a < plan.parts.size(); ++a) {
    if (!isIdentifier(plan.parts[a].name))
      return fmt::format("part name '{}' is not an identifier", plan.parts[a].name);
    for (size_t b = 0; b < a; ++b)
      if (plan.parts[a].name == plan.parts[b].name)
        return fmt::format("two parts are called {}", plan.parts[a].name);
  }
  return {};
}

std::string findOuterFault(const ChainPlan &plan) {
  std::vector<uint32_t> sorted = plan.outerParts;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    return "a part is outer twice";
  for (const ChainStep &step : plan.form.steps)
    for (const auto *list : {&step.introduced, &step.reduced})
      for (const DigitId digit : *list)
        for (const uint32_t part : plan.outerParts)
          if (plan.parts[part].digit == digit)
            return fmt::format("outer part {} is of a digit that a step touches",
                               plan.parts[part].name);
  return {};
}

/// Returns the fault of a phase. Its register parts must include all parts that its steps touch;
/// other register parts must be in the page. Its thread parts must be all other parts that are in
/// the page when the phase starts.
std::string findPhaseFault(const ChainPlan &plan, size_t p) {
  const ChainPhase &phase = plan.phases[p];
  std::vector<int> uses(plan.parts.size(), 0);
  std::vector<bool> held(plan.parts.size(), false);
  for (const uint32_t part : phase.registerParts)
    ++uses[part], held[part] = true;
  for (const uint32_t part : phase.threadParts)
    ++uses[part];
  const std::vector<bool> before = liveDigits(plan.form, phase.firstStep);
  std::vector<bool> touched(plan.form.digits.size(), false), comes = touched;
  for (uint32_t s = phase.firstStep; s < phase.firstStep + phase.stepCount; ++s) {
    for (const DigitId digit : plan.form.steps[s].introduced)
      touched[digit.index()] = comes[digit.index()] = true;
    for (const DigitId digit : plan.form.steps[s].reduced)
      touched[digit.index()] = true;
  }
  for (uint32_t part = 0; part < plan.parts.size(); ++part) {
    const size_t digit = plan.parts[part].digit.index();
    const bool there = !isOuter(plan, part) && (before[digit] || comes[digit]);
    if (uses[part] != (there ? 1 : 0))
      return fmt::format("part {} is used {} times in phase {}", plan.parts[part].name, uses[part],
                         p);
    if (there && touched[digit] && !held[part])
      return fmt::format("part {} is not in the registers of phase {}, whose steps touch it",
                         plan.parts[part].name, p);
  }
  return {};
}

std::string findSizeFault(const ChainPlan &plan, size_t p) {
  const ChainPhase &phase = plan.phases[p];
  for (uint32_t s = phase.firstStep; s <= phase.firstStep + phase.stepCount; ++s) {
    uint64_t tile = tileElems(plan, p, s);
    if (tile > kMaxThreadTile)
      return fmt::format("a tile of {} entries in phase {}", tile, p);
    if (s == phase.firstStep + phase.stepCount)
      break;
    const ChainStep &step = plan.form.steps[s];
    for (const DigitId digit : step.introduced)
      tile = saturatingMul(tile, plan.form.digits[digit.index()].extent);
    if (tile > kMaxStatements)
      return fmt::format("{} terms in step {}", tile, s);
    for (uint32_t f = step.firstFactor; f < step.firstFactor + step.factorCount; ++f)
      if (factorEntries(plan, p, f) > kMaxFactorEntries)
        return fmt::format("{} entries of factor {} in registers", factorEntries(plan, p, f), f);
  }
  if (busyThreads(plan, p) > plan.launch.blockThreads)
    return fmt::format("phase {} has {} threads in blocks of {}", p, busyThreads(plan, p),
                       plan.launch.blockThreads);
  return {};
}

/// Returns a fault of an image. Sorted by stride, each part must step over all entries that the
/// parts with smaller strides reach.
std::string findImageFault(const ChainPlan &plan, size_t p) {
  const ChainPhase &phase = plan.phases[p];
  const std::vector<bool> live = liveDigits(plan.form, phase.firstStep);
  if (phase.stridesElems.size() != plan.parts.size())
    return fmt::format("{} strides for {} parts in image {}", phase.stridesElems.size(),
                       plan.parts.size(), p);
  std::vector<std::pair<uint64_t, uint64_t>> places; // stride, extent
  for (uint32_t part = 0; part < plan.parts.size(); ++part) {
    const bool inside = !isOuter(plan, part) && live[plan.parts[part].digit.index()];
    if (inside != (phase.stridesElems[part] != 0))
      return fmt::format("part {} has stride {} in image {}", plan.parts[part].name,
                         phase.stridesElems[part], p);
    if (inside)
      places.emplace_back(phase.stridesElems[part], plan.parts[part].extent);
  }
  std::sort(places.begin(), places.end());
  uint64_t reached = 0;
  for (const auto &[stride, extent] : places) {
    if (stride <= reached && extent > 1)
      return fmt::format("two entries of image {} lie on each other", p);
    reached = saturatingAdd(reached, saturatingMul(extent - 1, stride));
  }
  if (reached >= phase.allocatedElems ||
      saturatingMul(phase.allocatedElems, elementBytes(plan.type)) > plan.launch.sharedBytes)
    return fmt::format("image {} reaches entry {} of {} in {} bytes", p, reached,
                       phase.allocatedElems, plan.launch.sharedBytes);
  return {};
}

/// Returns a fault of the fetch. Vector, thread and loop slots together must cover each part of the
/// page exactly once.
std::string findFetchFault(const ChainPlan &plan) {
  const uint32_t vector = plan.fetch.vector;
  if (vector == 0 || (vector & (vector - 1)) != 0 || vector > widestFetch(plan))
    return fmt::format("a fetch of {} entries at a time where {} are possible", vector,
                       widestFetch(plan));
  std::vector<std::pair<uint64_t, uint64_t>> walks; // step, extent
  uint64_t left = vector, fetched = vector;
  for (const uint32_t part : pageParts(plan)) {
    uint64_t covered = std::min(left, plan.parts[part].extent);
    left /= covered;
    walks.clear();
    for (const auto *list : {&plan.fetch.threadSlots, &plan.fetch.loopSlots})
      for (const ChainSlot &slot : *list)
        if (slot.part == part)
          walks.emplace_back(slot.step, slot.extent);
    std::sort(walks.begin(), walks.end());
    for (const auto &[step, extent] : walks) {
      if (step != covered || extent == 0)
        return fmt::format("the fetch walks part {} by {} where {} is due", plan.parts[part].name,
                           step, covered);
      covered = saturatingMul(covered, extent);
    }
    if (covered != plan.parts[part].extent)
      return fmt::format("the fetch covers {} of {} values of part {}", covered,
                         plan.parts[part].extent, plan.parts[part].name);
  }
  const std::vector<uint32_t> page = pageParts(plan);
  for (const auto *list : {&plan.fetch.threadSlots, &plan.fetch.loopSlots})
    for (const ChainSlot &slot : *list)
      if (std::find(page.begin(), page.end(), slot.part) == page.end())
        return "the fetch walks a part that is not in the page";
  for (const ChainSlot &slot : plan.fetch.loopSlots)
    fetched = saturatingMul(fetched, slot.extent);
  if (fetched > kMaxFetched)
    return fmt::format("each thread fetches {} entries", fetched);
  if (fetchThreads(plan) > plan.launch.blockThreads)
    return fmt::format("{} threads fetch in blocks of {}", fetchThreads(plan),
                       plan.launch.blockThreads);
  return {};
}

std::string findLaunchFault(const ChainPlan &plan, const Target &target) {
  const LaunchShape &launch = plan.launch;
  const uint64_t pages = pageCount(plan);
  if (launch.blockThreads == 0 || launch.blockThreads > target.maxThreadsPerBlock ||
      launch.sharedBytes > target.sharedBytesPerBlock || launch.minBlocksPerSm == 0 ||
      launch.minBlocksPerSm > target.maxBlocksPerSm)
    return fmt::format("{} threads, {} shared bytes, {} blocks per multiprocessor do not fit {}",
                       launch.blockThreads, launch.sharedBytes, launch.minBlocksPerSm, target.name);
  if (plan.pagesPerBlock == 0 || plan.pagesPerBlock > INT32_MAX || launch.gridBlocks > INT32_MAX ||
      saturatingMul(launch.gridBlocks, plan.pagesPerBlock) != pages)
    return fmt::format("{} blocks of {} pages for {} pages", launch.gridBlocks, plan.pagesPerBlock,
                       pages);
  uint64_t largest = std::max(plan.form.message.sizeElems, plan.form.result.sizeElems);
  for (const DigitAccess &factor : plan.form.factors)
    largest = std::max(largest, factor.sizeElems);
  if (plan.indexWidth == IndexWidth::Bits32 && (largest > INT32_MAX || pages > INT32_MAX))
    return fmt::format("32-bit indices for tables of {} entries", largest);
  return {};
}

} // namespace

std::string findFault(const ChainPlan &plan, const Target &target) {
  if (!isIdentifier(plan.name))
    return fmt::format("kernel name '{}' is not an identifier", plan.name);
  if (std::string fault = findFault(plan.form); !fault.empty())
    return fault;
  if (isIntegerType(plan.type))
    return fmt::format("chains of {} have no kernels", elementTypeName(plan.type));
  if (plan.valueForm == ValueForm::Log && plan.form.semiring.combine != Combine::Times)
    return "plain values have no log form";
  if (plan.logSum != LogSum::Running)
    return "chains sum logarithms with a running maximum";
  if (plan.form.semiring.reduce == Reduce::LogSum)
    return "log sums run as sums of tables in log form";
  if (std::string fault = findPartFault(plan); !fault.empty())
    return fault;
  if (std::string fault = findOuterFault(plan); !fault.empty())
    return fault;
  uint32_t steps = 0;
  for (const ChainPhase &phase : plan.phases) {
    if (phase.firstStep != steps || phase.stepCount == 0 ||
        phase.stepCount > plan.form.steps.size() - steps)
      return fmt::format("a phase of {} steps from step {} of {}", phase.stepCount, steps,
                         plan.form.steps.size());
    steps += phase.stepCount;
  }
  if (steps != plan.form.steps.size())
    return fmt::format("{} of {} steps are in a phase", steps, plan.form.steps.size());
  for (size_t p = 0; p < plan.phases.size(); ++p)
    for (const auto find : {findPhaseFault, findImageFault})
      if (std::string fault = find(plan, p); !fault.empty())
        return fault;
  for (size_t p = 0; p < plan.phases.size(); ++p) // looks at the next phase's image
    if (std::string fault = findSizeFault(plan, p); !fault.empty())
      return fault;
  if (std::string fault = findFetchFault(plan); !fault.empty())
    return fault;
  const uint32_t widest = writeVector(plan, plan.phases.size() - 1);
  if (plan.storeVector == 0 || widest % plan.storeVector != 0)
    return fmt::format("stores of {} entries where {} are possible", plan.storeVector, widest);
  if (std::string fault = findLaunchFault(plan, target); !fault.empty())
    return fault;
  if (plan.conflictFree && !isConflictFree(plan, target))
    return "promised to be free of bank conflicts, and is not";
  return {};
}

bool hasPlannedNames(const ChainPlan &plan) {
  return std::all_of(plan.parts.begin(), plan.parts.end(),
                     [](const ChainPart &part) { return isPlannedName(part.name, true); });
}

} // namespace mpf
