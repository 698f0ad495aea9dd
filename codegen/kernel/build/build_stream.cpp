// Family `stream`. A thread owns a few outputs: neighbours, so that loads and stores are vectors,
// and distant ones, so that many loads are in flight. The terms of short sums are all loaded before
// they are added up (Registers). Long sums either run over L1/L2 (Bypass), or are cut into pages
// whose fragments are vectors along the reduced digit.
#include "codegen/kernel/build/candidates.h"

#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

namespace {
constexpr uint64_t kStreamThreads[] = {128, 256, 512};
constexpr uint64_t kVectorOutputs[] = {1, 2, 4};
constexpr uint64_t kDistantOutputs[] = {1, 2, 4};
constexpr uint64_t kMaxFragmentElems = 64; ///< of all operands together, per thread
/// Where a table is packed: a load brings as many entries as a word has.
constexpr uint64_t kWordOutputs[] = {8, 16, 32};
constexpr uint64_t kMaxPackedWords = 8; ///< of a fragment

/// Takes up to `want` values for `role` from the digits in order, whole digits first.
void takeFrom(AxisDivider &divider, const std::vector<DigitId> &order, AxisRole role,
              uint64_t want) {
  for (DigitId digit : order) {
    if (want <= 1)
      return;
    const uint64_t part = partOf(divider.left(digit), want);
    divider.take(digit, role, part);
    want /= part;
    if (divider.left(digit) > 1)
      return; // the next digit's neighbours are far away
  }
}

struct SumMode {
  uint64_t chunk = 1; ///< terms between two pages
  uint64_t bodyTerms = 1;
  Placement placement = Placement::Bypass;
};

std::vector<SumMode> sumModes(const DigitForm &form) {
  const uint64_t terms = form.reducedAddresses();
  MPF_CHECK(terms > 0, "a sum of {} terms over {} digits", terms, form.digits.size());
  std::vector<SumMode> modes;
  if (terms <= 32)
    modes.push_back({terms, terms, Placement::Registers});
  if (terms > 4)
    for (uint64_t unroll : {4, 16})
      modes.push_back({terms, unroll, Placement::Bypass});
  if (terms > 8)
    for (uint64_t chunk : {4, 8, 16})
      modes.push_back({chunk, chunk, Placement::Registers});
  if (terms > kPackedWordElems && form.readsPacked())
    modes.push_back({kPackedWordElems, kPackedWordElems, Placement::Registers});
  modes.push_back({terms, 1, Placement::Bypass});
  return modes;
}

uint64_t fragmentElems(const DigitForm &form, const std::vector<Axis> &axes) {
  uint64_t total = 0;
  for (const DigitAccess &operand : form.operands) {
    MPF_CHECK(operand.stridesElems.size() == form.digits.size(), "{} strides for {} digits",
              operand.stridesElems.size(), form.digits.size());
    uint64_t elems = 1;
    for (const Axis &axis : axes)
      if ((axis.role == AxisRole::Register || axis.role == AxisRole::Sum) &&
          operand.stridesElems[axis.digit.index()] != 0)
        elems *= axis.extent;
    total +=
        operand.packed
            ? std::max<uint64_t>(1, elems * kMaxFragmentElems / kMaxPackedWords / kPackedWordElems)
            : elems;
  }
  return total;
}
} // namespace

std::vector<NestCandidate> streamCandidates(const DigitForm &form, const KernelOptions &options) {
  std::vector<std::vector<DigitId>> orders = {keptByStride(form, form.result)};
  if (auto byOperand = keptByStride(form, largestOperand(form, options.type));
      byOperand != orders.front())
    orders.push_back(std::move(byOperand));

  std::vector<uint64_t> neighbours(std::begin(kVectorOutputs), std::end(kVectorOutputs));
  if (form.readsPacked())
    neighbours.insert(neighbours.end(), std::begin(kWordOutputs), std::end(kWordOutputs));

  std::vector<NestCandidate> candidates;
  for (const auto &order : orders)
    for (const SumMode &mode : sumModes(form))
      for (uint64_t threads : kStreamThreads)
        for (uint64_t near : neighbours)
          for (uint64_t distant : kDistantOutputs) {
            AxisDivider divider(form);
            takeFrom(divider, order, AxisRole::Register, near);
            takeFrom(divider, order, AxisRole::Thread,
                     std::min<uint64_t>(threads, options.target.maxThreadsPerBlock));
            takeFrom(divider, order, AxisRole::Register, distant);
            takeSums(divider, form, mode.chunk, std::max<uint64_t>(1, mode.bodyTerms));
            takeBlocks(divider, form);
            NestCandidate candidate{NestKind::Stream, divider.axes(), {}};
            if (mode.placement == Placement::Registers &&
                fragmentElems(form, candidate.axes) > kMaxFragmentElems)
              continue;
            candidate.placements.assign(form.operands.size(), mode.placement);
            candidates.push_back(std::move(candidate));
          }
  return candidates;
}

} // namespace mpf
