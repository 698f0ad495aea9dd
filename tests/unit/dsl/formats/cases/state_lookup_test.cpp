#include "dsl/formats/cases/cell_states.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

uint32_t find(const StateLookup &lookup, std::string text) {
  const size_t size = text.size();
  text += "??????????"; // bytes behind a cell do not matter
  return lookup.find(text.data(), size);
}

TEST(StateLookup, LabelsOfAnyLength) {
  std::vector<std::string> labels;
  for (size_t length = 1; length <= 40; ++length)
    labels.push_back(std::string(length, 'a'));
  labels.push_back(std::string(20, 'a') + "b" + std::string(19, 'a'));
  labels.push_back(std::string(19, 'a') + "b" + std::string(20, 'a'));
  const auto extent = static_cast<uint32_t>(labels.size());
  const CellStates states({"v", extent, labels}, {});
  const StateLookup &lookup = states.lookup();
  for (uint32_t state = 0; state < extent; ++state)
    EXPECT_EQ(find(lookup, labels[state]), state);
  EXPECT_EQ(find(lookup, ""), extent);
  EXPECT_EQ(find(lookup, std::string(41, 'a')), StateLookup::kNone);
  EXPECT_EQ(find(lookup, std::string(18, 'a') + "b" + std::string(21, 'a')), StateLookup::kNone);
  EXPECT_EQ(find(lookup, "b"), StateLookup::kNone);
  EXPECT_EQ(find(lookup, std::string("a\0", 2)), StateLookup::kNone);
}

TEST(StateLookup, NumbersOfFewStates) {
  const CellStates states({"v", 1000, {}}, {});
  const StateLookup &lookup = states.lookup();
  for (uint32_t state = 0; state < 1000; ++state)
    EXPECT_EQ(find(lookup, std::to_string(state)), state);
  EXPECT_EQ(find(lookup, "1000"), StateLookup::kNone);
  EXPECT_EQ(find(lookup, "00"), StateLookup::kNone) << "left to closer looks";
}

TEST(StateLookup, ManyLabels) {
  std::vector<std::string> labels;
  for (int i = 0; i < 50'000; ++i)
    labels.push_back("state " + std::to_string(i * 7));
  const CellStates states({"v", 50'000, labels}, {});
  const StateLookup &lookup = states.lookup();
  for (uint32_t state = 0; state < 50'000; ++state)
    EXPECT_EQ(find(lookup, labels[state]), state);
  EXPECT_EQ(find(lookup, "state 1"), StateLookup::kNone);
}

} // namespace
} // namespace mpf
