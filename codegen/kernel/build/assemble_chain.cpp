#include "codegen/kernel/build/assemble_chain.h"

#include "codegen/kernel/cost/occupancy.h"
#include "codegen/kernel/plan/chain_layout.h"
#include "codegen/kernel/plan/chain_shape.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace mpf {

namespace {

constexpr uint64_t kMostLanes = 128;           ///< values of one outer digit in a page
constexpr uint64_t kBlockBytes = 16384;        ///< bytes of message that are worth a block
constexpr uint64_t kMostPagesPerBlock = 16;    ///< the least number is 2, see setChainLaunch
constexpr uint64_t kLeastBlocksPerSm = 32;     ///< blocks left if a block takes more than 2 pages
constexpr uint64_t kMaxChainThreads = 512;     ///< of a block: barriers of larger ones cost more
constexpr uint64_t kMostFactorWords = 32;      ///< words of factors loaded before a phase's barrier
constexpr uint64_t kMaxPhaseStatements = 8192; ///< multiplications in one phase's text, unrolled
constexpr uint64_t kChainBaseRegisters = 32;   ///< indices, addresses, range and scale
constexpr uint64_t kRegistersPerFactor = 2;    ///< its address, kept over the pages
constexpr uint32_t kCompilerSlack = 16;        ///< registers left to ptxas under __launch_bounds__
constexpr uint64_t kLogRegisters = 16;         ///< temporaries of logarithms under way

/// Returns the least divisor of `n` from `want` to kMostLanes. If there is none, returns n if it is
/// at most kMostLanes, else 1.
uint64_t divisorFrom(uint64_t n, uint64_t want) {
  for (uint64_t d = std::max<uint64_t>(want, 1); d <= std::min(n, kMostLanes); ++d)
    if (n % d == 0)
      return d;
  return n <= kMostLanes ? n : 1;
}

class Assembler {
public:
  Assembler(const ChainForm &form, const ChainCandidate &candidate, const ChainOptions &options)
      : candidate_(candidate), options_(options), touched_(form.digits.size(), false),
        lanes_(form.digits.size(), 1) {
    plan_.valueForm = options.valueForm;
    plan_.type = options.type;
    plan_.form = form;
    for (const ChainStep &step : form.steps) {
      for (const DigitId digit : step.introduced)
        touched_[digit.index()] = true;
      for (const DigitId digit : step.reduced)
        touched_[digit.index()] = true;
    }
  }

  std::optional<ChainPlan> run() {
    if (!cutPhases())
      return std::nullopt;
    wantLines(plan_.form.message);
    wantLines(plan_.form.result);
    wantThreads();
    addParts();
    fillPhases();
    plan_.indexWidth = largestOffset() < INT32_MAX ? IndexWidth::Bits32 : IndexWidth::Bits64;
    uint64_t threads = 1;
    for (size_t p = 0; p < plan_.phases.size(); ++p)
      threads = std::max(threads, busyThreads(plan_, p));
    if (threads > std::min<uint64_t>(kMaxChainThreads, options_.target.maxThreadsPerBlock))
      return std::nullopt;
    const uint64_t warp = options_.target.warpThreads;
    plan_.launch.blockThreads = static_cast<uint32_t>((threads + warp - 1) / warp * warp);
    fillFetch();
    for (size_t p = 0; p < plan_.phases.size(); ++p) {
      layOutImage(plan_, p, ImageOrder::WriterFirst, {});
      orderThreads(p);
    }
    plan_.storeVector = writeVector(plan_, plan_.phases.size() - 1);
    takePages();
    setChainLaunch(plan_, options_.target);
    if (!fitsTarget(plan_, options_.target))
      return std::nullopt;
    return std::move(plan_);
  }

private:
  uint64_t extent(size_t digit) const { return plan_.form.digits[digit].extent; }

  /// Cuts the steps into as few phases as the tile allows. Then it takes the smallest tile that
  /// needs no more phases, so that steps spread evenly. The register digits of a phase are all
  /// digits that its steps touch.
  bool cutPhases() {
    std::vector<ChainPhase> phases = cutBy(candidate_.tileElems);
    if (phases.empty())
      return false;
    for (uint64_t tile = candidate_.tileElems / 2; tile > 1; tile /= 2) {
      std::vector<ChainPhase> smaller = cutBy(tile);
      if (smaller.size() != phases.size())
        break;
      phases = std::move(smaller);
    }
    plan_.phases = std::move(phases);
    const ChainPhase &last = plan_.phases.back();
    MPF_CHECK(last.firstStep + last.stepCount == plan_.form.steps.size(),
              "phases end at step {} of {}", last.firstStep + last.stepCount,
              plan_.form.steps.size());
    for (const ChainPhase &phase : plan_.phases)
      registers_.push_back(touchedBy(phase.firstStep, phase.stepCount));
    return true;
  }

  /// Returns phases with as many steps each as fit a tile of `tile` entries; none if one step does
  /// not fit.
  std::vector<ChainPhase> cutBy(uint64_t tile) const {
    std::vector<ChainPhase> phases;
    const auto &steps = plan_.form.steps;
    for (uint32_t first = 0; first < steps.size();) {
      uint32_t count = 0;
      while (first + count < steps.size() && phaseFits(first, count + 1, tile))
        ++count;
      if (count == 0)
        return {};
      phases.push_back({first, count, {}, {}, {}, 0, true});
      first += count;
    }
    return phases;
  }

  std::vector<bool> touchedBy(uint32_t first, uint32_t count) const {
    std::vector<bool> digits(plan_.form.digits.size(), false);
    for (uint32_t s = first; s < first + count; ++s) {
      for (const DigitId digit : plan_.form.steps[s].introduced)
        digits[digit.index()] = true;
      for (const DigitId digit : plan_.form.steps[s].reduced)
        digits[digit.index()] = true;
    }
    return digits;
  }

  bool phaseFits(uint32_t first, uint32_t count, uint64_t mostElems) const {
    const std::vector<bool> held = touchedBy(first, count);
    uint64_t statements = 0;
    for (uint32_t s = first; s <= first + count; ++s) {
      const std::vector<bool> live = liveDigits(plan_.form, s);
      uint64_t tile = 1, terms = 1;
      for (size_t d = 0; d < live.size(); ++d)
        if (live[d] && held[d])
          tile = saturatingMul(tile, extent(d));
      if (tile > mostElems)
        return false;
      if (s == first + count)
        break;
      for (const DigitId digit : plan_.form.steps[s].introduced)
        terms = saturatingMul(terms, extent(digit.index()));
      statements = saturatingAdd(statements, saturatingMul(tile, terms));
    }
    return statements <= kMaxPhaseStatements;
  }

  std::vector<size_t> nearestFirst(const DigitAccess &access) const {
    std::vector<size_t> digits;
    for (size_t d = 0; d < plan_.form.digits.size(); ++d)
      if (access.stridesElems[d] != 0)
        digits.push_back(d);
    std::stable_sort(digits.begin(), digits.end(), [&](size_t a, size_t b) {
      return access.stridesElems[a] < access.stridesElems[b];
    });
    return digits;
  }

  /// Takes parts of outer digits into the page until its entries lie together in whole lines.
  void wantLines(const DigitAccess &access) {
    const uint64_t want = std::max<uint64_t>(1, candidate_.lineBytes / elementBytes(plan_.type));
    uint64_t run = 1;
    for (const size_t d : nearestFirst(access)) {
      if (run >= want)
        return;
      if (!touched_[d])
        lanes_[d] = std::max(lanes_[d], divisorFrom(extent(d), (want + run - 1) / run));
      const uint64_t taken = touched_[d] ? extent(d) : lanes_[d];
      run *= taken;
      if (taken < extent(d))
        return;
    }
  }

  /// Returns the greatest number of threads of a phase, for the lanes so far.
  uint64_t mostThreads() const {
    uint64_t most = 1;
    for (size_t p = 0; p < plan_.phases.size(); ++p) {
      const std::vector<bool> live = liveDigits(plan_.form, plan_.phases[p].firstStep);
      uint64_t threads = 1;
      for (size_t d = 0; d < live.size(); ++d)
        if (live[d] && !registers_[p][d])
          threads = saturatingMul(threads, touched_[d] ? extent(d) : lanes_[d]);
      most = std::max(most, threads);
    }
    return most;
  }

  /// Takes more values of outer digits into the page until the block has the threads asked for.
  void wantThreads() {
    for (const size_t d : nearestFirst(plan_.form.message)) {
      if (touched_[d])
        continue;
      while (lanes_[d] < extent(d) && mostThreads() < candidate_.threads) {
        const uint64_t more = divisorFrom(extent(d) / lanes_[d], 2);
        if (more == 1 || saturatingMul(mostThreads(), more) > kMaxChainThreads)
          break;
        lanes_[d] *= more;
      }
    }
  }

  void addParts() {
    partsOf_.resize(plan_.form.digits.size());
    const auto add = [&](size_t d, const char *suffix, uint64_t extent, uint64_t step, bool outer) {
      const auto part = static_cast<uint32_t>(plan_.parts.size());
      plan_.parts.push_back({fmt::format("d{}{}", d, suffix), DigitId(d), extent, step});
      (outer ? plan_.outerParts : partsOf_[d]).push_back(part);
    };
    for (size_t d = 0; d < plan_.form.digits.size(); ++d) {
      if (touched_[d] || lanes_[d] == extent(d)) {
        add(d, "", extent(d), 1, false);
        continue;
      }
      MPF_CHECK(extent(d) % lanes_[d] == 0, "{} of the {} values of digit {} in a page", lanes_[d],
                extent(d), d);
      add(d, "_b", extent(d) / lanes_[d], lanes_[d], true);
      if (lanes_[d] > 1)
        add(d, "_l", lanes_[d], 1, false);
    }
    // Neighbouring pages follow one another: the outer digit with the least stride in the message
    // is the fastest.
    std::stable_sort(plan_.outerParts.begin(), plan_.outerParts.end(), [&](uint32_t a, uint32_t b) {
      return partStride(plan_, plan_.form.message, a) > partStride(plan_, plan_.form.message, b);
    });
  }

  void fillPhases() {
    for (size_t p = 0; p < plan_.phases.size(); ++p) {
      ChainPhase &phase = plan_.phases[p];
      const std::vector<bool> live = liveDigits(plan_.form, phase.firstStep);
      for (size_t d = 0; d < live.size(); ++d)
        for (const uint32_t part : partsOf_[d])
          if (registers_[p][d])
            phase.registerParts.push_back(part);
          else if (live[d])
            phase.threadParts.push_back(part);
      phase.factorsFirst = factorWords(p) <= kMostFactorWords;
    }
  }

  uint64_t factorWords(size_t p) const {
    uint64_t words = 0;
    const ChainPhase &phase = plan_.phases[p];
    for (uint32_t s = phase.firstStep; s < phase.firstStep + phase.stepCount; ++s) {
      const ChainStep &step = plan_.form.steps[s];
      for (uint32_t f = step.firstFactor; f < step.firstFactor + step.factorCount; ++f)
        words += factorEntries(plan_, p, f) * (elementBytes(plan_.type) / 4);
    }
    return words;
  }

  uint64_t largestOffset() const {
    uint64_t largest = std::max(plan_.form.message.sizeElems, plan_.form.result.sizeElems);
    for (const DigitAccess &factor : plan_.form.factors)
      largest = std::max(largest, factor.sizeElems);
    return largest;
  }

  /// Plans the fetch: vectors take the nearest entries, threads the next ones, loops the rest.
  void fillFetch() {
    const std::vector<uint32_t> parts = pageParts(plan_);
    ChainFetch &fetch = plan_.fetch;
    fetch.vector = widestFetch(plan_);
    uint64_t left = fetch.vector, threads = plan_.launch.blockThreads;
    for (const uint32_t part : parts) {
      uint64_t extent = plan_.parts[part].extent, step = 1;
      const uint64_t inVector = std::gcd(left, extent);
      left /= inVector;
      step = inVector;
      extent /= inVector;
      MPF_CHECK(extent > 0 && threads > 0, "{} threads for {} values of part {}", threads, extent,
                plan_.parts[part].name);
      uint64_t taken = std::min(extent, threads);
      while (extent % taken != 0)
        --taken;
      if (taken > 1)
        fetch.threadSlots.push_back({part, taken, step});
      threads /= taken;
      if (extent > taken) {
        fetch.loopSlots.push_back({part, extent / taken, step * taken});
        threads = 1; // parts with greater strides are no neighbours of these threads
      }
    }
    MPF_CHECK(left == 1, "vectors of {} entries end inside no part: {} are left", fetch.vector,
              left);
  }

  /// Orders the thread parts so that neighbouring threads access neighbouring entries: of the
  /// result in the last phase, of the image in other phases.
  void orderThreads(size_t p) {
    const std::vector<uint64_t> strides = p + 1 == plan_.phases.size()
                                              ? partStrides(plan_, plan_.form.result)
                                              : plan_.phases[p].stridesElems;
    auto &threads = plan_.phases[p].threadParts;
    std::stable_sort(threads.begin(), threads.end(),
                     [&](uint32_t a, uint32_t b) { return strides[a] < strides[b]; });
  }

  void takePages() {
    const uint64_t pages = pageCount(plan_);
    uint64_t pageBytes = elementBytes(plan_.type);
    for (const uint32_t part : pageParts(plan_))
      pageBytes *= plan_.parts[part].extent;
    uint64_t most = std::clamp<uint64_t>(
        std::min(kBlockBytes / pageBytes, pages / (options_.target.smCount * kLeastBlocksPerSm)), 2,
        kMostPagesPerBlock);
    if (options_.pagesPerBlock)
      most = std::max(1u, *options_.pagesPerBlock);
    MPF_CHECK(pages > 0, "a chain of {} steps has no page", plan_.form.steps.size());
    while (pages % most != 0)
      --most;
    plan_.pagesPerBlock = most;
    plan_.launch.gridBlocks = pages / most;
  }

  const ChainCandidate &candidate_;
  const ChainOptions &options_;
  ChainPlan plan_;
  std::vector<bool> touched_;                  ///< per digit: some step reduces or introduces it
  std::vector<uint64_t> lanes_;                ///< per outer digit: its part in the page
  std::vector<std::vector<bool>> registers_;   ///< per phase and digit
  std::vector<std::vector<uint32_t>> partsOf_; ///< per digit: its parts in the page
};

} // namespace

std::optional<ChainPlan> assembleChain(const ChainForm &form, const ChainCandidate &candidate,
                                       const ChainOptions &options) {
  return Assembler(form, candidate, options).run();
}

void setChainLaunch(ChainPlan &plan, const Target &target) {
  MPF_CHECK(plan.launch.gridBlocks > 0 && plan.pagesPerBlock > 0, "{} blocks of {} pages",
            plan.launch.gridBlocks, plan.pagesPerBlock);
  const uint64_t words = elementBytes(plan.type) / 4;
  uint64_t sharedElems = 0, registers = 0, allFactors = 0;
  for (size_t p = 0; p < plan.phases.size(); ++p) {
    const ChainPhase &phase = plan.phases[p];
    sharedElems = std::max(sharedElems, phase.allocatedElems);
    uint64_t tile = 0, factors = 0;
    for (uint32_t s = phase.firstStep; s <= phase.firstStep + phase.stepCount; ++s)
      tile = std::max(tile, tileElems(plan, p, s));
    for (uint32_t s = phase.firstStep; s < phase.firstStep + phase.stepCount; ++s) {
      const ChainStep &step = plan.form.steps[s];
      uint64_t own = 0;
      for (uint32_t f = step.firstFactor; f < step.firstFactor + step.factorCount; ++f)
        own += factorEntries(plan, p, f);
      factors = phase.factorsFirst ? factors + own : std::max(factors, own);
    }
    registers = std::max(registers, (tile + factors + 4) * words);
    allFactors += factors;
  }
  // Without a loop over pages around the phases, the compiler may load the factors of all phases
  // first.
  if (plan.pagesPerBlock == 1)
    registers += allFactors * words;
  uint64_t fetched = plan.fetch.vector;
  for (const ChainSlot &slot : plan.fetch.loopSlots)
    fetched *= slot.extent;
  registers = std::max(registers, fetched * words) + kChainBaseRegisters +
              kRegistersPerFactor * plan.form.factors.size();
  if (plan.valueForm == ValueForm::Log)
    registers += kLogRegisters * words;
  plan.launch.sharedBytes =
      static_cast<uint32_t>(std::min<uint64_t>(sharedElems * elementBytes(plan.type), UINT32_MAX));
  plan.launch.estimatedRegisters = static_cast<uint32_t>(std::min<uint64_t>(registers, UINT32_MAX));
  const uint64_t perSm = (plan.launch.gridBlocks + target.smCount - 1) / target.smCount;
  plan.launch.minBlocksPerSm = static_cast<uint32_t>(
      std::min<uint64_t>(activeBlocks(plan.launch, kCompilerSlack, target), perSm));
}

bool fitsTarget(const ChainPlan &plan, const Target &target) {
  return plan.launch.blockThreads <= target.maxThreadsPerBlock &&
         plan.launch.sharedBytes <= target.sharedBytesPerBlock &&
         plan.launch.gridBlocks <= INT32_MAX &&
         plan.launch.estimatedRegisters <= target.maxRegistersPerThread;
}

} // namespace mpf
