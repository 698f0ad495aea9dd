#include "codegen/kernel/cost/occupancy.h"

#include "codegen/kernel/plan/interleave_lanes.h"
#include "codegen/kernel/plan/kernel_shape.h"
#include "codegen/kernel/plan/log_form.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {
constexpr uint64_t kBaseRegisters = 24;      ///< indices, loop counters, the stack of temporaries
constexpr uint64_t kRegistersPerOperand = 4; ///< a 64-bit base and an offset
constexpr uint64_t kCopyRegisters = 8;       ///< source, target, buffer, their page
constexpr uint64_t kMixedRegisters = 16;     ///< loads that bypass shared memory in such pages
constexpr uint64_t kLeanRegisters = 24;      ///< indices, addresses and temporaries (leanRegisters)
constexpr uint64_t kRegisterGrain = 8;       ///< hardware allocates in units of 8 per thread
constexpr uint32_t kCompilerSlack = 8;       ///< room left to ptxas under __launch_bounds__
constexpr uint32_t kLogSlack = 16;           ///< the same for log sums
constexpr uint64_t kAheadWords = 24;         ///< loads of later iterations that ptxas issues early
constexpr uint64_t kLogAheadWords = 48;      ///< the same among the temporaries of log sums
constexpr uint64_t kLog64Registers = 48;     ///< two f64 exp2 or log2 in software at a time
constexpr uint64_t kLog32Terms = 16;         ///< f32 terms in progress at a time
constexpr uint64_t kLog32Registers = 2;      ///< temporaries of each such term
constexpr uint64_t kSplitWords = 2; ///< exponent and form of an operand; guards are there twice
constexpr uint64_t kSplit32Registers = 12;     ///< guard, offset, conversions of loads in flight
constexpr uint64_t kWideProductRegisters = 16; ///< partial products of two 128-bit numbers
constexpr uint64_t kSplit64Registers = 12;     ///< guard, offset, conversions in f64
constexpr uint64_t kSplit64Staged = 28; ///< the same if a staged share is converted all at once
constexpr uint64_t kUnpackedElems = 8;  ///< entries of a packed table that are unpacked at a time

uint64_t registerIndices(const NestPlan &plan, uint32_t source) {
  uint64_t count = 1;
  for (uint32_t a = 0; a < plan.axes.size(); ++a)
    if (plan.axes[a].role == AxisRole::Register && sourceVaries(plan, source, a))
      count *= plan.axes[a].extent;
  return count;
}

/// Returns the registers of comparisons and 64-bit addresses that guarded digits keep alive for
/// each register index.
uint64_t guardRegisters(const NestPlan &plan) {
  uint64_t registers = 0;
  for (const Axis &axis : plan.axes)
    if (axis.role == AxisRole::Register && isGuarded(plan, axis.digit))
      registers += axis.extent + 2;
  return registers;
}

/// Returns the registers of staged values: all values that are held across the barrier, and those
/// of one segment that is being copied.
uint64_t stagingRegisters(const NestPlan &plan) {
  uint64_t held = 0, copied = 0;
  if (plan.stages > 1) // asynchronous copies take no registers
    return 0;
  for (const Segment &segment : plan.segments) {
    if (segment.placement != Placement::Shared)
      continue;
    const auto bytes =
        static_cast<uint64_t>(elemsInFlight(plan, segment)) * elementBytes(plan.type);
    if (bytes <= kHeldBytes)
      held += bytes;
    else
      copied = std::max(copied, std::min(bytes, kCopiedBytes));
  }
  return (held + copied) / 4;
}

/// Whether sums have a running maximum, which takes a software exponential or two per term.
bool keepsMaximum(const NestPlan &plan) {
  return usesExp2(plan.form, plan.valueForm) && !usesScaledMantissas(plan.form, plan);
}

/// Returns the registers of addresses of asynchronous copies, which stay alive from page to page.
uint64_t copyRegisters(const NestPlan &plan) {
  if (plan.stages == 1)
    return 0;
  uint64_t registers = 0;
  bool mixed = false;
  for (const Segment &segment : plan.segments) {
    registers += segment.placement == Placement::Shared ? kCopyRegisters : 0;
    mixed |= segment.placement == Placement::Bypass;
  }
  return registers + (mixed ? kMixedRegisters : 0);
}

/// Returns the words of loads ahead of their use. ptxas issues many more if __launch_bounds__
/// leaves it the registers, and about this many if not.
uint64_t aheadWords(const NestPlan &plan) {
  return keepsMaximum(plan) ? kLogAheadWords : kAheadWords;
}

/// Returns the iterations of sum loops that move `segment` and are unrolled in one body.
uint64_t unrolledIterations(const NestPlan &plan, const Segment &segment) {
  uint64_t iterations = 1;
  for (uint32_t a : segment.tagAxes)
    if (plan.axes[a].role == AxisRole::Sum)
      iterations = std::min<uint64_t>(iterations * plan.axes[a].unroll, aheadWords(plan));
  return iterations;
}

/// Returns the entries of fragments of a thread that goes through its tile row by row, along the
/// digit that needs the fewest. It holds operands without that digit as a whole, and of the others
/// the row in use and the next one.
uint64_t rowFragments(const NestPlan &plan) {
  uint64_t best = UINT64_MAX;
  for (size_t digit = 0; digit < plan.form.keptCount(); ++digit) {
    uint64_t along = 1, entries = 0;
    for (const Axis &axis : plan.axes)
      if (axis.role == AxisRole::Register && axis.digit.index() == digit)
        along *= axis.extent;
    for (const Segment &segment : plan.segments) {
      const bool varies = plan.form.operands[segment.operand].stridesElems[digit] != 0;
      const uint64_t fragment = registerIndices(plan, segment.operand);
      entries += varies && along > 2 ? fragment / along * 2 : fragment;
    }
    best = std::min(best, entries);
  }
  return best;
}

/// Returns how many registers' worth of elements a fragment of `elems` entries holds. Packed
/// entries stay in their words until they are used.
uint64_t heldElems(const NestPlan &plan, const Segment &segment, uint64_t elems) {
  if (!holdsWords(plan, segment))
    return elems;
  MPF_CHECK(segment.fragmentVector > 0, "segment {} is loaded by {} entries", segment.operand,
            segment.fragmentVector);
  return elems / segment.fragmentVector + std::min(elems, kUnpackedElems);
}

/// Returns the number of loops that have a counter.
uint64_t rolledLoops(const NestPlan &plan) {
  uint64_t loops = 0;
  for (const Axis &axis : plan.axes)
    loops += axis.extent > 1 && (axis.role == AxisRole::Page ||
                                 (axis.role == AxisRole::Sum && axis.unroll < axis.extent));
  return loops;
}
} // namespace

double elemsInFlight(const NestPlan &plan, const Segment &segment) {
  MPF_CHECK(plan.launch.blockThreads > 0, "{} threads hold the {} entries of segment {}",
            plan.launch.blockThreads, segment.sizeElems, segment.operand);
  if (segment.placement == Placement::Shared)
    return std::ceil(static_cast<double>(segment.sizeElems) / plan.launch.blockThreads);
  double held = 1;
  for (uint32_t axis : segment.tagAxes)
    if (plan.axes[axis].role == AxisRole::Register)
      held *= static_cast<double>(plan.axes[axis].extent);
    else if (plan.axes[axis].role == AxisRole::Sum)
      held *=
          static_cast<double>(segment.placement == Placement::Registers ? plan.axes[axis].extent
                                                                        : plan.axes[axis].unroll);
  return held;
}

uint32_t estimateRegisters(const NestPlan &plan) {
  const uint64_t words = elementBytes(plan.type) / 4;
  const bool split = usesScaledMantissas(plan.form, plan);
  const bool logSum = keepsMaximum(plan);
  const uint64_t outputs = roleExtent(plan, AxisRole::Register);
  const uint64_t values = outputs * (logSum ? 2 : 1); // a log sum has a running maximum too
  uint64_t fragments = 0, ahead = 0, sharedAhead = 0;
  for (const Segment &segment : plan.segments) {
    const uint64_t fragment = heldElems(plan, segment, registerIndices(plan, segment.operand));
    if (segment.placement == Placement::Registers)
      fragments += heldElems(plan, segment, static_cast<uint64_t>(elemsInFlight(plan, segment)));
    else
      fragments += fragment;
    if (segment.placement != Placement::Registers)
      (segment.placement == Placement::Shared ? sharedAhead : ahead) +=
          fragment * (unrolledIterations(plan, segment) - 1);
  }
  // The latency of shared memory is short: many accumulators hide it without early loads.
  const uint64_t most = aheadWords(plan), idle = most - std::min(most, values * words);
  fragments += (std::min(ahead * words, most) + std::min(sharedAhead * words, idle)) / words;
  for (uint32_t k = 0; k < plan.products.size(); ++k) {
    const auto source = static_cast<uint32_t>(plan.form.operands.size() + k);
    const uint64_t indices = registerIndices(plan, source);
    // Full-size products are consumed as they are formed.
    fragments += indices < outputs ? indices : 0;
  }
  // Staging and the sum loops take turns; the accumulators stay in registers.
  uint64_t registers = values * words + std::max(fragments * words, stagingRegisters(plan)) +
                       kBaseRegisters + kRegistersPerOperand * plan.form.operands.size() +
                       guardRegisters(plan) + rolledLoops(plan) + copyRegisters(plan);
  if (logSum)
    registers += plan.type == ElementType::F64 ? kLog64Registers
                                               : std::min(outputs, kLog32Terms) * kLog32Registers;
  if (split)
    registers += words * kSplitWords * plan.form.operands.size() + guardRegisters(plan) +
                 (plan.type == ElementType::F32 ? kSplit32Registers
                  : stagingRegisters(plan) > 0  ? kSplit64Staged
                                                : kSplit64Registers);
  if (plan.type == ElementType::U128)
    registers += kWideProductRegisters;
  registers = (registers + kRegisterGrain - 1) / kRegisterGrain * kRegisterGrain;
  return static_cast<uint32_t>(std::min<uint64_t>(registers, 1u << 20));
}

uint32_t activeBlocks(const LaunchShape &launch, uint32_t slackRegisters, const Target &target) {
  MPF_CHECK(target.warpThreads > 0 && target.schedulersPerSm > 0,
            "{} has warps of {} threads and {} schedulers", target.name, target.warpThreads,
            target.schedulersPerSm);
  const uint32_t threads = std::max(1u, launch.blockThreads);
  const uint32_t warps = (threads + target.warpThreads - 1) / target.warpThreads;
  uint64_t blocks = std::min<uint64_t>(
      target.maxBlocksPerSm, target.maxThreadsPerSm / (uint64_t{warps} * target.warpThreads));
  if (launch.sharedBytes != 0) // 1 KiB per block belongs to the system
    blocks =
        std::min<uint64_t>(blocks, target.sharedBytesPerSm / (uint64_t{launch.sharedBytes} + 1024));
  const uint64_t warpRegisters =
      (uint64_t{launch.estimatedRegisters} + slackRegisters) * target.warpThreads;
  MPF_CHECK(warpRegisters > 0, "{} registers estimated for a thread, {} in reserve",
            launch.estimatedRegisters, slackRegisters);
  const uint64_t warpsPerScheduler = target.registersPerSm / target.schedulersPerSm / warpRegisters;
  blocks = std::min<uint64_t>(blocks, warpsPerScheduler * target.schedulersPerSm / warps);
  return static_cast<uint32_t>(std::max<uint64_t>(1, blocks));
}

uint32_t activeBlocks(const DigitForm &form, const KernelHeader &plan, const Target &target) {
  return activeBlocks(plan.launch, usesExp2(form, plan.valueForm) ? kLogSlack : kCompilerSlack,
                      target);
}

uint32_t reservedRegisters(const LaunchShape &launch, const Target &target) {
  MPF_CHECK(target.warpThreads > 0 && target.schedulersPerSm > 0,
            "{} has warps of {} threads and {} schedulers", target.name, target.warpThreads,
            target.schedulersPerSm);
  const uint64_t warps = (launch.blockThreads + target.warpThreads - 1) / target.warpThreads;
  const uint64_t resident = std::max<uint64_t>(1, warps * launch.minBlocksPerSm);
  const uint64_t busiest = (resident + target.schedulersPerSm - 1) / target.schedulersPerSm;
  const uint64_t share =
      target.registersPerSm / target.schedulersPerSm / (busiest * target.warpThreads);
  return static_cast<uint32_t>(
      std::min<uint64_t>(share / kRegisterGrain * kRegisterGrain, target.maxRegistersPerThread));
}

double waveFactor(const LaunchShape &launch, const Target &target) {
  MPF_CHECK(launch.gridBlocks > 0, "a grid of {} blocks", launch.gridBlocks);
  const uint64_t blocks = launch.gridBlocks;
  const uint64_t busiest = blocks / target.smCount + (blocks % target.smCount != 0);
  return static_cast<double>(busiest) * target.smCount / static_cast<double>(blocks);
}

double blockRounds(const LaunchShape &launch, const Target &target) {
  constexpr double kFewRounds = 6;
  const double places = static_cast<double>(target.smCount) * launch.minBlocksPerSm;
  MPF_CHECK(places > 0, "{} blocks resident on {} multiprocessors", launch.minBlocksPerSm,
            target.smCount);
  const double rounds = static_cast<double>(launch.gridBlocks) / places;
  return rounds < kFewRounds ? std::ceil(rounds) : rounds + 0.5;
}

std::optional<uint32_t> leanRegisters(const NestPlan &plan) {
  if (plan.stages == 1 || !tilesThreeDigits(plan.form, plan.axes))
    return std::nullopt;
  for (const Segment &segment : plan.segments)
    if (segment.placement != Placement::Shared)
      return std::nullopt;
  for (size_t d = 0; d < plan.form.digits.size(); ++d)
    if (isGuarded(plan, DigitId(d)))
      return std::nullopt;
  const uint64_t words = elementBytes(plan.type) / 4;
  const uint64_t registers = (roleExtent(plan, AxisRole::Register) + rowFragments(plan)) * words +
                             kLeanRegisters + rolledLoops(plan);
  return static_cast<uint32_t>((registers + kRegisterGrain - 1) / kRegisterGrain * kRegisterGrain);
}

void setOccupancy(NestPlan &plan, const Target &target) {
  MPF_CHECK(plan.launch.gridBlocks > 0 && plan.launch.blockThreads > 0,
            "a grid of {} blocks of {} threads", plan.launch.gridBlocks, plan.launch.blockThreads);
  plan.launch.estimatedRegisters = estimateRegisters(plan);
  plan.launch.minBlocksPerSm = 1;
  if (plan.launch.estimatedRegisters + kRegisterReserve > target.maxRegistersPerThread &&
      reservedRegisters(plan.launch, target) == target.maxRegistersPerThread)
    plan.launch.estimatedRegisters = leanRegisters(plan).value_or(plan.launch.estimatedRegisters);
  const uint64_t perSm = (plan.launch.gridBlocks + target.smCount - 1) / target.smCount;
  plan.launch.minBlocksPerSm =
      static_cast<uint32_t>(std::min<uint64_t>(activeBlocks(plan.form, plan, target), perSm));
}

} // namespace mpf
