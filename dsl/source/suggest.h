// "did you mean 'sprinkler'?": the nearest of some candidates to a misspelt word.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace mpf {

/// Edits (insert, delete, replace, swap two neighbours) that turn `a` into `b`, counted up to
/// `limit`; limit + 1 when more are needed. O(|a| |b|) time, words are cut at 64 bytes.
size_t editDistance(std::string_view a, std::string_view b, size_t limit);

/// Offer candidates in any order; the result does not depend on it (ties go to the
/// lexicographically smaller word).
class Suggestion {
public:
  explicit Suggestion(std::string_view word);
  void offer(std::string_view candidate);
  template <class Range> void offerAll(const Range &candidates) {
    for (const auto &candidate : candidates)
      offer(candidate);
  }
  /// The nearest candidate, empty when none is near enough (about a third of the letters).
  const std::string &best() const { return best_; }
  /// "did you mean 'best'?", or empty: ready for Diagnostic::hint.
  std::string hint() const;

private:
  std::string word_;
  std::string best_;
  size_t bestDistance_;
};

/// The hint for one word over a list of candidates.
std::string suggestHint(std::string_view word, std::span<const std::string_view> candidates);

} // namespace mpf
