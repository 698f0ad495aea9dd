// "did you mean 'sprinkler'?": finds the candidate that is most similar to a misspelt word.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace mpf {

/// Returns the number of edits (insert, delete, replace, swap two neighbours) that turn `a` into
/// `b`; limit + 1 if more than `limit` are needed. Time: |a| |b|. Only the first 64 bytes are
/// compared.
size_t editDistance(std::string_view a, std::string_view b, size_t limit);

/// The best of the candidates that were offered for one word. Among equally near candidates it is
/// the lexicographically smallest, so the order of the offers does not matter.
class Suggestion {
public:
  explicit Suggestion(std::string_view word);
  void offer(std::string_view candidate);
  template <class Range> void offerAll(const Range &candidates) {
    for (const auto &candidate : candidates)
      offer(candidate);
  }
  /// Returns the nearest candidate. Empty if none is near: more than about a third of the letters
  /// differ.
  const std::string &best() const { return best_; }
  /// Returns "did you mean 'best'?", for Diagnostic::hint; empty if there is no best candidate.
  std::string hint() const;

private:
  std::string word_;
  std::string best_;
  size_t bestDistance_;
};

/// Returns the word that a hint of Suggestion proposes; empty for other hints.
std::string_view suggestedBy(std::string_view hint);

/// Returns Suggestion::hint for one word and a list of candidates.
std::string suggestHint(std::string_view word, std::span<const std::string_view> candidates);

} // namespace mpf
