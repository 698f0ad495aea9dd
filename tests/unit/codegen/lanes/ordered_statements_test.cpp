// Tests that statements come right before the first line that reads them.
#include "codegen/emit/lanes/ordered_statements.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

Statement one(const char *text, std::vector<uint32_t> reads = {}) {
  return {{{text, std::move(reads)}}, 1};
}

TEST(OrderedStatements, ComeWhenTheyAreRead) {
  const std::vector<Statement> statements = {
      one("a"),
      one("b"),
      one("c"),
      one("unread"),
      {{{"s = a", {0}}, {"s += b", {1}}, {"s += c", {2}}}, 1}};
  const OrderedStatements ordered = orderStatements(statements, std::vector<uint32_t>{4});
  EXPECT_EQ(ordered.lines, (std::vector<std::string>{"a", "s = a", "b", "s += b", "c", "s += c"}));
  EXPECT_EQ(ordered.mostAlive, 2u);
}

TEST(OrderedStatements, StandOnceAndLiveUntilTheLastReader) {
  const std::vector<Statement> statements = {
      {{{"x, y", {}}}, 2}, one("f(x)", {0}), one("g(y)", {0}), one("h", {1, 2})};
  const OrderedStatements ordered = orderStatements(statements, std::vector<uint32_t>{3, 2, 3});
  EXPECT_EQ(ordered.lines, (std::vector<std::string>{"x, y", "f(x)", "g(y)", "h"}));
  EXPECT_EQ(ordered.mostAlive, 4u); // x, y, f and g
}

/// The whole row is alive at once in written order, but only one term at a time in reading order.
TEST(OrderedStatements, ReadRowsNeedNotBeThereAsAWhole) {
  std::vector<Statement> statements;
  Statement sum;
  for (uint32_t term = 0; term < 1000; ++term) {
    statements.push_back(one("t"));
    sum.lines.push_back({"s += t", {term}});
  }
  statements.push_back(sum);
  std::vector<uint32_t> all(statements.size());
  for (uint32_t i = 0; i < all.size(); ++i)
    all[i] = i;
  EXPECT_EQ(orderStatements(statements, all).mostAlive, 1001u);
  EXPECT_EQ(orderStatements(statements, std::vector<uint32_t>{1000}).mostAlive, 2u);
}

/// A chain as long as programs are does not take the stack with it.
TEST(OrderedStatements, ChainsMayBeLong) {
  std::vector<Statement> statements = {one("0")};
  for (uint32_t i = 1; i < 1000000; ++i)
    statements.push_back(one("n", {i - 1}));
  const OrderedStatements ordered = orderStatements(statements, std::vector<uint32_t>{999999});
  EXPECT_EQ(ordered.lines.size(), statements.size());
  EXPECT_EQ(ordered.mostAlive, 2u);
}

} // namespace
} // namespace mpf
