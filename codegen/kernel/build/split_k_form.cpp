#include "codegen/kernel/build/split_k_form.h"

#include "codegen/kernel/cost/cost_model.h"
#include "codegen/plan/program/split_k.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace mpf {

namespace {
constexpr uint64_t kEnoughResults = 1u << 21; ///< a tile of 2^14 for 128 multiprocessors
constexpr uint64_t kLeastTerms = 64;          ///< of a part: shorter ones cost more than they gain
constexpr uint64_t kOperandShare = 2; ///< parts take at most this part of the operands' entries
constexpr double kLeastGain = 0.05;   ///< of the whole time: predictions are no better

/// One number from each power of two to the next, the first.
std::vector<uint64_t> thinned(const std::vector<uint64_t> &choices) {
  std::vector<uint64_t> few;
  for (const uint64_t parts : choices)
    if (few.empty() || std::bit_width(few.back()) < std::bit_width(parts))
      few.push_back(parts);
  return few;
}
} // namespace

std::vector<uint64_t> reducedExtents(const DigitForm &form) {
  std::vector<uint64_t> extents;
  for (const Digit &digit : form.digits)
    if (digit.reduced)
      extents.push_back(digit.extent);
  return extents;
}

DigitForm partialForm(const DigitForm &whole, uint64_t parts) {
  MPF_CHECK(partsDivide(reducedExtents(whole), parts), "a sum of {} terms in {} parts",
            whole.reducedAddresses(), parts);
  DigitForm form;
  form.semiring = whole.semiring;
  form.operands = whole.operands;
  form.result = whole.result;
  for (DigitAccess &access : form.operands)
    access.stridesElems.clear();
  form.result.stridesElems.clear();
  form.result.sizeElems = saturatingMul(whole.result.sizeElems, parts);
  // Value v of digit d is v * step of digit d of the whole.
  const auto add = [&](size_t d, uint64_t extent, uint64_t step, uint64_t resultStride,
                       bool reduced) {
    form.digits.push_back({extent, reduced, whole.digits[d].variables});
    for (size_t i = 0; i < form.operands.size(); ++i)
      form.operands[i].stridesElems.push_back(whole.operands[i].stridesElems[d] * step);
    form.result.stridesElems.push_back(resultStride);
  };
  const size_t kept = whole.keptCount();
  uint64_t left = parts;
  std::vector<uint64_t> cut; // by reduced digit: parts that it tells apart
  for (size_t d = kept; d < whole.digits.size(); ++d) {
    cut.push_back(std::min(left, whole.digits[d].extent));
    left /= cut.back();
    if (cut.back() > 1)
      add(d, cut.back(), whole.digits[d].extent / cut.back(), whole.result.sizeElems * left, false);
  }
  for (size_t d = 0; d < kept; ++d)
    add(d, whole.digits[d].extent, 1, whole.result.stridesElems[d], false);
  for (size_t d = kept; d < whole.digits.size(); ++d)
    if (const uint64_t rest = whole.digits[d].extent / cut[d - kept]; rest > 1)
      add(d, rest, 1, 0, true);
  return form;
}

DigitForm addingForm(const DigitForm &whole, uint64_t parts) {
  DigitForm form;
  form.semiring = whole.semiring;
  const size_t kept = whole.keptCount();
  const auto digits = whole.digits.begin();
  const auto strides = whole.result.stridesElems.begin();
  form.digits.assign(digits, digits + static_cast<ptrdiff_t>(kept));
  form.digits.push_back({parts, true, {}});
  form.result = whole.result;
  form.result.stridesElems.assign(strides, strides + static_cast<ptrdiff_t>(kept));
  DigitAccess partial = form.result;
  partial.stridesElems.push_back(whole.result.sizeElems);
  partial.sizeElems = saturatingMul(whole.result.sizeElems, parts);
  form.operands.push_back(std::move(partial));
  form.result.stridesElems.push_back(0);
  return form;
}

uint64_t mostParts(const DigitForm &whole) {
  if (whole.result.sizeElems > kEnoughResults)
    return 1;
  uint64_t operandElems = 0;
  for (const DigitAccess &operand : whole.operands)
    operandElems = saturatingAdd(operandElems, operand.sizeElems);
  return std::max(uint64_t{1},
                  std::min({uint64_t{kMostParts}, whole.reducedAddresses() / kLeastTerms,
                            operandElems / kOperandShare / whole.result.sizeElems}));
}

PartsChoice chooseParts(const DigitForm &whole, const KernelOptions &options,
                        const FormTime &timeUs) {
  const auto mergedUs = [&](DigitForm form) {
    mergeDigits(form);
    return timeUs(form);
  };
  const uint64_t most = mostParts(whole);
  const std::vector<uint64_t> choices = thinned(partChoices(reducedExtents(whole), most));
  PartsChoice best{1, mergedUs(whole)};
  const double enoughUs = (1 - kLeastGain) * best.timeUs;
  const double leastUs =
      floorUs(whole, options.type, options.valueForm, options.target) + 2 * options.target.launchUs;
  if (leastUs >= enoughUs)
    return best;
  std::vector<char> tried(choices.size(), 0);
  const auto attempt = [&](size_t i) {
    if (std::exchange(tried[i], 1))
      return;
    const double time =
        mergedUs(partialForm(whole, choices[i])) + mergedUs(addingForm(whole, choices[i]));
    if (time < std::min(best.timeUs, enoughUs))
      best = {choices[i], time};
  };
  // Every second number first, from the smallest on while that helps, then its neighbours.
  size_t worse = 0;
  for (size_t i = 0; i < choices.size() && worse < 2; i += 2) {
    const double before = best.timeUs;
    attempt(i);
    worse = best.timeUs < before ? 0 : worse + 1;
  }
  const auto at = std::find(choices.begin(), choices.end(), best.parts);
  if (at != choices.end() && at != choices.begin())
    attempt(static_cast<size_t>(at - choices.begin()) - 1);
  if (at != choices.end() && at + 1 != choices.end())
    attempt(static_cast<size_t>(at - choices.begin()) + 1);
  return best;
}

} // namespace mpf
