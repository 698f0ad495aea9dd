#include "dsl/source/suggest.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace mpf {

namespace {
constexpr size_t kMaxCompared = 64;
} // namespace

size_t editDistance(std::string_view a, std::string_view b, size_t limit) {
  a = a.substr(0, kMaxCompared);
  b = b.substr(0, kMaxCompared);
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > limit)
    return limit + 1;
  // Optimal string alignment: three rows of the dynamic programme are alive at a time.
  using Row = std::array<size_t, kMaxCompared + 1>;
  Row before{}, previous{}, current{};
  for (size_t j = 0; j <= b.size(); ++j)
    previous[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    size_t rowMin = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t change = previous[j - 1] + (a[i - 1] != b[j - 1]);
      current[j] = std::min({change, previous[j] + 1, current[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        current[j] = std::min(current[j], before[j - 2] + 1);
      rowMin = std::min(rowMin, current[j]);
    }
    // A swap reaches back two rows, so one hopeless row does not decide; two would, this is safe.
    if (rowMin > limit + 1)
      return limit + 1;
    before = previous;
    previous = current;
  }
  return std::min(previous[b.size()], limit + 1);
}

Suggestion::Suggestion(std::string_view word)
    : word_(word), bestDistance_((std::min(word.size(), kMaxCompared) + 2) / 3 + 1) {}

void Suggestion::offer(std::string_view candidate) {
  // Replacing every letter is no misspelling: 'a' does not suggest 'b'.
  const size_t limit = std::min(bestDistance_, std::min(word_.size(), candidate.size()));
  if (limit == 0)
    return;
  const size_t distance = editDistance(word_, candidate, limit);
  const bool nearer = distance < bestDistance_ ||
                      (distance == bestDistance_ && !best_.empty() && candidate < best_);
  if (distance >= std::min(word_.size(), candidate.size()) || !nearer)
    return;
  best_ = candidate;
  bestDistance_ = distance;
}

namespace {
constexpr std::string_view kHintFront = "did you mean '", kHintEnd = "'?";
} // namespace

std::string Suggestion::hint() const {
  return best_.empty() ? std::string() : fmt::format("{}{}{}", kHintFront, best_, kHintEnd);
}

std::string_view suggestedBy(std::string_view hint) {
  if (!hint.starts_with(kHintFront) || !hint.ends_with(kHintEnd) ||
      hint.size() <= kHintFront.size() + kHintEnd.size())
    return {};
  hint.remove_prefix(kHintFront.size());
  hint.remove_suffix(kHintEnd.size());
  return hint;
}

std::string suggestHint(std::string_view word, std::span<const std::string_view> candidates) {
  Suggestion suggestion(word);
  suggestion.offerAll(candidates);
  return suggestion.hint();
}

} // namespace mpf
