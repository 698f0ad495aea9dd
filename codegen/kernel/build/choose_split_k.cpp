#include "codegen/kernel/build/choose_split_k.h"

#include "codegen/kernel/cost/floor.h"
#include "codegen/kernel/form/split_k_form.h"
#include "codegen/plan/program/split_k.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"
#include "dsl/support/merge_digits.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace mpf {

namespace {
constexpr uint64_t kEnoughResults = 1u << 21; ///< a tile of 2^14 for 128 multiprocessors
constexpr uint64_t kOperandShare = 2; ///< splits take at most this part of the operands' entries
constexpr double kLeastGain = 0.05;   ///< of the whole time: predictions are no better

/// Returns the first number from each power of two to the next.
std::vector<uint64_t> thinned(const std::vector<uint64_t> &choices) {
  std::vector<uint64_t> few;
  for (const uint64_t splits : choices)
    if (few.empty() || std::bit_width(few.back()) < std::bit_width(splits))
      few.push_back(splits);
  return few;
}
} // namespace

uint64_t maxSplits(const DigitForm &whole) {
  MPF_CHECK(whole.result.sizeElems > 0, "a sum of {} terms without a result",
            whole.reducedAddresses());
  if (whole.result.sizeElems > kEnoughResults)
    return 1;
  uint64_t operandElems = 0;
  for (const DigitAccess &operand : whole.operands)
    operandElems = saturatingAdd(operandElems, operand.sizeElems);
  return std::max(uint64_t{1},
                  std::min({uint64_t{kMaxSplits}, whole.reducedAddresses() / kLeastTermsOfPart,
                            operandElems / kOperandShare / whole.result.sizeElems}));
}

SplitChoice chooseSplits(const DigitForm &whole, const KernelOptions &options,
                         const FormTime &timeUs) {
  const auto mergedUs = [&](DigitForm form) {
    mergeDigits(form);
    return timeUs(form);
  };
  const uint64_t most = maxSplits(whole);
  const std::vector<uint64_t> choices = thinned(splitChoices(reducedExtents(whole), most));
  SplitChoice best{1, mergedUs(whole)};
  const double enoughUs = (1 - kLeastGain) * best.timeUs;
  const double leastUs =
      floorTerms(whole, options.type, options.valueForm, options.target).longerUs() +
      2 * options.target.launchUs;
  if (leastUs >= enoughUs)
    return best;
  MPF_CHECK(choices.empty() || choices.back() <= most, "{} splits, at most {} make sense",
            choices.back(), most);
  std::vector<char> tried(choices.size(), 0);
  const auto attempt = [&](size_t i) {
    if (std::exchange(tried[i], 1))
      return;
    const double time =
        mergedUs(partialForm(whole, choices[i])) + mergedUs(addingForm(whole, choices[i]));
    if (time < std::min(best.timeUs, enoughUs))
      best = {choices[i], time};
  };
  // Every second number is tried first, from the smallest on while that helps. Then the neighbours
  // of the best one are tried.
  size_t worse = 0;
  for (size_t i = 0; i < choices.size() && worse < 2; i += 2) {
    const double before = best.timeUs;
    attempt(i);
    worse = best.timeUs < before ? 0 : worse + 1;
  }
  const auto at = std::find(choices.begin(), choices.end(), best.splits);
  if (at != choices.end() && at != choices.begin())
    attempt(static_cast<size_t>(at - choices.begin()) - 1);
  if (at != choices.end() && at + 1 != choices.end())
    attempt(static_cast<size_t>(at - choices.begin()) + 1);
  return best;
}

} // namespace mpf
