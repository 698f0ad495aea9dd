#include "runtime/schedule/launches/range_bounds.h"

#include <gtest/gtest.h>

using namespace mpf;

namespace {

/// Returns a bundle: buffers 0 and 1 are inputs over one digit, every later one is the sum of the
/// two before it.
Bundle chainBundle(size_t operations) {
  Bundle bundle;
  for (size_t i = 0; i < operations + 2; ++i)
    bundle.buffers.push_back({fmt::format("b{}", i), 4, 256 * i, i < 2});
  for (size_t i = 0; i < 2; ++i) {
    BundleInput input;
    input.buffer = BufferId(i);
    bundle.inputs.push_back(input);
  }
  for (size_t i = 0; i < operations; ++i) {
    BundleOperation operation;
    operation.digits = {{4, false}, {3, true}};
    operation.operands = {{BufferId(i), {1, 0}}, {BufferId(i + 1), {1, 0}}};
    operation.result = {BufferId(i + 2), {1, 0}};
    bundle.operations.push_back(operation);
  }
  return bundle;
}

} // namespace

TEST(RangeBounds, TermsCountTheReducedAddresses) {
  BundleOperation operation;
  operation.digits = {{7, false}, {5, true}, {3, true}};
  EXPECT_EQ(operation.termsLog2(), 4) << "15 terms";
  operation.semiring = {Reduce::LogSum, Combine::Plus};
  EXPECT_EQ(operation.termsLog2(), 4);
  operation.semiring.reduce = Reduce::Max;
  EXPECT_EQ(operation.termsLog2(), 0);
  operation = {};
  EXPECT_EQ(operation.termsLog2(), 0);
}

TEST(RangeBounds, ProofEndsWhereTheSpreadExceedsTheType) {
  const Bundle bundle = chainBundle(12);
  std::vector<TableState> states(bundle.buffers.size());
  states[0] = states[1] = {0, -20, -1, 0};
  const std::vector<bool> proven = provablyLinear(bundle, states).operations;
  EXPECT_TRUE(proven.front());
  EXPECT_FALSE(proven.back());
  for (size_t i = 1; i < proven.size(); ++i)
    EXPECT_LE(proven[i], proven[i - 1]) << "spreads only grow along this chain";
}

/// Sums of logarithms run as sums of plain numbers, which cannot read a table in log form.
TEST(RangeBounds, OnlySumsOfPlainValuesAreLinearWhateverTheRange) {
  Bundle bundle = chainBundle(2);
  std::vector<TableState> states(bundle.buffers.size());
  states[0] = states[1] = {0, -700'000, 0, 1};
  for (BundleOperation &operation : bundle.operations)
    operation.semiring = {Reduce::LogSum, Combine::Plus};
  EXPECT_EQ(provablyLinear(bundle, states).operations, (std::vector<bool>{false, false}));
  for (BundleOperation &operation : bundle.operations)
    operation.semiring = {Reduce::Max, Combine::Plus};
  EXPECT_EQ(provablyLinear(bundle, states).operations, (std::vector<bool>{true, true}));
}

TEST(RangeBounds, SignedSumsProveNothingDownstream) {
  Bundle bundle = chainBundle(2);
  bundle.signedValues = true;
  std::vector<TableState> states(bundle.buffers.size());
  states[0] = states[1] = {0, -1, -1, 0};
  EXPECT_EQ(provablyLinear(bundle, states).operations, (std::vector<bool>{true, false}));
}

TEST(RangeBounds, ForcedLogIsNeverLinear) {
  Bundle bundle = chainBundle(1);
  bundle.forcedLog = true;
  std::vector<TableState> states(bundle.buffers.size());
  states[0] = states[1] = {0, -1, -1, 1};
  EXPECT_FALSE(provablyLinear(bundle, states).operations[0]);
}

/// Returns a bundle whose operation i reads the result of operation i - 1 and a separate table.
Bundle messageBundle(size_t operations) {
  Bundle bundle;
  for (size_t i = 0; i <= operations; ++i) {
    bundle.buffers.push_back({fmt::format("f{}", i), 12, 256 * i, true});
    BundleInput input;
    input.buffer = BufferId(i);
    bundle.inputs.push_back(input);
  }
  for (size_t i = 0; i < operations; ++i) {
    bundle.buffers.push_back({fmt::format("m{}", i), 12, 256 * i, false});
    BundleOperation operation;
    operation.digits = {{12, false}, {3, true}};
    const size_t message = i == 0 ? operations : operations + i;
    operation.operands = {{BufferId(i), {1, 0}}, {BufferId(message), {1, 0}}};
    operation.result = {BufferId(operations + 1 + i), {1, 0}};
    bundle.operations.push_back(operation);
  }
  return bundle;
}

TEST(RangeBounds, AChainIsProvenByAllThatItReads) {
  Bundle bundle = messageBundle(4);
  bundle.chains = {{0, 4, 1, 0}};
  EXPECT_EQ(termsLog2(bundle, bundle.chains[0]), 7) << "81 terms";
  std::vector<TableState> states(bundle.buffers.size());
  for (size_t i = 0; i <= 4; ++i)
    states[i] = {0, -190, -1, 0};
  ProvenRanges proven = provablyLinear(bundle, states);
  EXPECT_EQ(proven.chains, std::vector<bool>{true}) << "five operands of 190 binades";
  for (size_t i = 0; i <= 4; ++i)
    states[i].minExponent = -210;
  proven = provablyLinear(bundle, states);
  EXPECT_EQ(proven.chains, std::vector<bool>{false});
  EXPECT_TRUE(proven.operations[0]) << "two operands of 210 binades";
  bundle.forcedLog = true;
  EXPECT_EQ(provablyLinear(bundle, states).chains, std::vector<bool>{false});
}

TEST(RangeBounds, WhatFollowsAChainCountsWithEitherWay) {
  Bundle bundle = messageBundle(4);
  std::vector<TableState> states(bundle.buffers.size());
  for (size_t i = 0; i <= 4; ++i)
    states[i] = {0, -190, -1, 0};
  const std::vector<bool> alone = provablyLinear(bundle, states).operations;
  bundle.chains = {{0, 3, 1, 0}};
  const std::vector<bool> behind = provablyLinear(bundle, states).operations;
  EXPECT_LE(behind[3], alone[3]) << "a chain never proves more than its operations";
}
