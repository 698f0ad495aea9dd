// Pairs of words for absence and presence.
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace mpf {

struct WordPair {
  std::string_view absent, present; ///< in lower case
};

inline constexpr std::array<WordPair, 10> kPresenceWords = {{{"false", "true"},
                                                             {"no", "yes"},
                                                             {"off", "on"},
                                                             {"absent", "present"},
                                                             {"f", "t"},
                                                             {"negative", "positive"},
                                                             {"n", "y"},
                                                             {"0", "1"},
                                                             {"a", "p"},
                                                             {"low", "high"}}};

/// The words that mean 0 and 1 wherever a number is allowed.
inline constexpr std::span<const WordPair> kTruthWords = std::span(kPresenceWords).first(3);

} // namespace mpf
