#include "dsl/support/text/text_index.h"

#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace mpf;

TEST(TextIndex, NumbersAreThoseOfAMap) {
  std::mt19937_64 random(1);
  std::map<std::string, uint32_t> expected;
  TextIndex index;
  EXPECT_EQ(index.find(""), std::nullopt);
  for (int i = 0; i < 20000; ++i) {
    std::string text; // the empty one and texts with a byte 0 among them
    for (uint64_t bytes = random() % 5; bytes > 0; --bytes)
      text += static_cast<char>(random() % 8);
    const auto known = expected.find(text);
    const bool isNew = known == expected.end();
    const auto number = isNew ? static_cast<uint32_t>(expected.size()) : known->second;
    EXPECT_EQ(index.find(text), isNew ? std::nullopt : std::optional(number));
    EXPECT_EQ(index.add(text), std::pair(number, isNew));
    EXPECT_EQ(index.text(number), text);
    expected.emplace(text, number);
  }
  EXPECT_EQ(index.size(), expected.size());
  for (const auto &[text, number] : expected)
    EXPECT_EQ(index.text(number), text);
}
