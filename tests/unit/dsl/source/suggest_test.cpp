#include "dsl/source/suggest.h"

#include <array>
#include <gtest/gtest.h>

using namespace mpf;

TEST(Suggest, Distances) {
  EXPECT_EQ(editDistance("kitten", "sitting", 9), 3u);
  EXPECT_EQ(editDistance("abcd", "abdc", 9), 1u);
  EXPECT_EQ(editDistance("", "abc", 9), 3u);
  EXPECT_EQ(editDistance("same", "same", 0), 0u);
  EXPECT_EQ(editDistance("abcdef", "uvwxyz", 2), 3u); // more than the limit
}

TEST(Suggest, NearestCandidate) {
  constexpr std::array<std::string_view, 4> kWords = {"sprinkler", "rain", "wet", "train"};
  EXPECT_EQ(suggestHint("sprinkle", kWords), "did you mean 'sprinkler'?");
  EXPECT_EQ(suggestHint("rian", kWords), "did you mean 'rain'?");
  EXPECT_EQ(suggestHint("cloud", kWords), "");
  EXPECT_EQ(suggestHint("x", kWords), "");
}

TEST(Suggest, WordOfAHint) {
  EXPECT_EQ(suggestedBy("did you mean 'rain'?"), "rain");
  EXPECT_EQ(suggestedBy("did you mean 'it's'?"), "it's");
  for (const char *other : {"", "did you mean ''?", "did you mean 'rain'", "write x^2", "'rain'?"})
    EXPECT_EQ(suggestedBy(other), "") << other;
}

TEST(Suggest, OrderOfCandidatesDoesNotMatter) {
  constexpr std::array<std::string_view, 2> kOneWay = {"beta2", "beta1"};
  constexpr std::array<std::string_view, 2> kOtherWay = {"beta1", "beta2"};
  EXPECT_EQ(suggestHint("beta3", kOneWay), "did you mean 'beta1'?");
  EXPECT_EQ(suggestHint("beta3", kOtherWay), "did you mean 'beta1'?");
}

TEST(Suggest, ReplacingEverythingIsNoSuggestion) {
  constexpr std::array<std::string_view, 2> kWords = {"y", "zw"};
  EXPECT_EQ(suggestHint("x", kWords), "");
  EXPECT_EQ(suggestHint("xv", kWords), "");
}
