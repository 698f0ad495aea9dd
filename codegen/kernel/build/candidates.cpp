#include "codegen/kernel/build/candidates.h"

#include "codegen/kernel/cost/cost_instructions.h"
#include "codegen/kernel/cost/cost_traffic.h"
#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

namespace {
constexpr double kBodySlots = 2048;   ///< unrolled: outputs x sum iterations x slots of a term
constexpr uint64_t kMaxUnroll = 32;   ///< sum iterations, however few the outputs
constexpr uint64_t kLoadedWords = 96; ///< of 4 bytes: global loads in one unrolled body
} // namespace

std::vector<DigitId> keptByStride(const DigitForm &form, const DigitAccess &access) {
  MPF_CHECK(access.stridesElems.size() == form.digits.size(), "{} strides for {} digits",
            access.stridesElems.size(), form.digits.size());
  std::vector<DigitId> digits;
  for (size_t d = form.keptCount(); d-- > 0;) // least significant first
    digits.push_back(DigitId(d));
  std::stable_sort(digits.begin(), digits.end(), [&](DigitId a, DigitId b) {
    const uint64_t strideA = access.stridesElems[a.index()];
    const uint64_t strideB = access.stridesElems[b.index()];
    return strideA - 1 < strideB - 1; // 0, not in scope, wraps to the end
  });
  return digits;
}

const DigitAccess &largestOperand(const DigitForm &form, ElementType type) {
  MPF_CHECK(!form.operands.empty(), "an operation over {} digits without operands",
            form.digits.size());
  const auto bytes = [type](const DigitAccess &access) {
    return static_cast<double>(access.sizeElems) * access.elemBytes(type);
  };
  return *std::max_element(
      form.operands.begin(), form.operands.end(),
      [&](const DigitAccess &a, const DigitAccess &b) { return bytes(a) < bytes(b); });
}

uint64_t lanesOfSector(uint64_t vectorElems, ElementType type) {
  MPF_CHECK(vectorElems > 0, "lanes of {} entries", vectorElems);
  return std::max<uint64_t>(1, static_cast<uint64_t>(kSectorBytes) /
                                   (vectorElems * elementBytes(type)));
}

void takeBlocks(AxisDivider &divider, const DigitForm &form) {
  uint64_t room = INT32_MAX;
  for (size_t d = form.keptCount(); d-- > 0;) {
    const uint64_t blocks = std::min(divider.left(DigitId(d)), room);
    divider.take(DigitId(d), AxisRole::Block, blocks);
    room /= blocks;
    divider.takeRest(DigitId(d), AxisRole::Page);
  }
}

void takeSums(AxisDivider &divider, const DigitForm &form, uint64_t chunk, uint64_t bodyTerms) {
  for (size_t d = form.digits.size(); d-- > form.keptCount();) {
    const DigitId digit(d);
    const uint64_t part = partOf(divider.left(digit), std::max<uint64_t>(1, chunk));
    const uint64_t unroll = partOf(part, std::max<uint64_t>(1, bodyTerms));
    divider.take(digit, AxisRole::Sum, part, static_cast<uint32_t>(unroll));
    // A loop that is not unrolled as a whole ends the unrolled body.
    bodyTerms = unroll == part ? bodyTerms / unroll : 1;
    chunk = divider.left(digit) > 1 ? 1 : chunk / part;
    divider.takeRest(digit, AxisRole::Page);
  }
}

uint64_t unrolledTerms(const DigitForm &form, const KernelOptions &options,
                       const std::vector<Axis> &axes, bool fromGlobal) {
  const auto fragment = [&](const DigitAccess *operand) {
    uint64_t elems = 1;
    for (const Axis &axis : axes)
      if (axis.role == AxisRole::Register &&
          (operand == nullptr || operand->stridesElems[axis.digit.index()] != 0))
        elems *= axis.extent;
    return elems;
  };
  uint64_t loads = 0;
  for (const DigitAccess &operand : form.operands)
    loads += fragment(&operand);
  const double slots = std::max(2.0, termSlots(form, options.type, options.valueForm,
                                               options.logSum.value_or(LogSum::MantissaLoads)));
  uint64_t terms = static_cast<uint64_t>(kBodySlots / slots) / fragment(nullptr);
  if (fromGlobal)
    terms = std::min(terms, kLoadedWords * 4 / elementBytes(options.type) / loads);
  return std::clamp(terms, uint64_t{1}, kMaxUnroll);
}

} // namespace mpf
