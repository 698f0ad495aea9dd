#include "runtime/choose/answer/choose_for_list.h"

#include <algorithm>
#include <fmt/format.h>

namespace mpf {

std::optional<size_t> chooseForList(std::span<const AnswerCandidate> candidates) {
  std::optional<size_t> chosen;
  for (size_t c = 0; c < candidates.size(); ++c) {
    if (!candidates[c].refusal.empty())
      continue;
    if (!chosen || kClearly * candidates[c].totalUs() < candidates[*chosen].totalUs())
      chosen = c;
  }
  return chosen;
}

std::string reasonOfList(std::span<const AnswerCandidate> candidates, size_t chosen) {
  const bool isFirst = std::ranges::all_of(
      candidates.first(chosen), [](const AnswerCandidate &one) { return !one.refusal.empty(); });
  return isFirst ? fmt::format("no later candidate is predicted to be {} times as fast", kClearly)
                 : "it is predicted to be clearly faster than the candidates before it";
}

} // namespace mpf
