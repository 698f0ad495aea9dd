#include "dsl/support/text/first_repeated.h"

#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

namespace {

size_t repeatedIn(const std::vector<std::string> &texts) {
  return firstRepeated(texts.size(), [&texts](size_t i) { return std::string_view(texts[i]); });
}

TEST(FirstRepeated, IsTheSecondOfTwoEqualTexts) {
  EXPECT_EQ(repeatedIn({}), 0U);
  EXPECT_EQ(repeatedIn({"a"}), 1U);
  EXPECT_EQ(repeatedIn({"", "a", ""}), 2U);
  EXPECT_EQ(repeatedIn({"a", "b", "c", "b", "a"}), 3U);
}

TEST(FirstRepeated, ManyTextsAreToldApart) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < 5000; ++i)
    texts.push_back("x[" + std::to_string(i) + "]");
  EXPECT_EQ(repeatedIn(texts), texts.size());
  std::vector<std::string> twice = texts;
  twice.insert(twice.end(), texts.rbegin(), texts.rend());
  EXPECT_EQ(repeatedIn(twice), texts.size());
}

} // namespace

} // namespace mpf
