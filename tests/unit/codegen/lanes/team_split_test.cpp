// Tests which digits of a product are tiled, its lists of addresses, and how many warps it keeps
// busy.
#include "codegen/bundle/lanes/team_lists.h"
#include "codegen/bundle/lanes/team_split.h"
#include "codegen/bundle/lanes/team_work.h"
#include "tests/unit/codegen/lanes/lane_programs.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace mpf {
namespace {

/// Digits b, l, r, t: result(b, l, r) = sum over t of left(b, l, t) * right(b, r, t).
LaneOperation batchedProduct(uint64_t b, uint64_t l, uint64_t r, uint64_t t) {
  LaneOperation operation;
  operation.digits = {{b, false}, {l, false}, {r, false}, {t, true}};
  operation.operands = {{0, 0, {l * t, t, 0, 1}}, {1, 0, {r * t, 0, t, 1}}};
  operation.result = {2, 0, {l * r, r, 1, 0}};
  return operation;
}

TEST(TeamSplit, OperandsOfAMatrixProductAreOnTwoSides) {
  const TeamSplit split = splitTeamOperation(batchedProduct(3, 8, 6, 5));
  EXPECT_EQ(split.leftOperands.size(), 1u);
  EXPECT_EQ(split.rightOperands.size(), 1u);
  EXPECT_EQ(split.leftCount * split.rightCount, 48u);
  EXPECT_EQ(split.restCount, 3u);
  EXPECT_EQ(split.tiles(), 3u * 2 * 2); // 4 by 4 of 8 by 6
  EXPECT_EQ(split.tileLoads(), 8);
}

TEST(TeamSplit, WithoutDigitsOfTheirOwnOperandsAreOnOneSide) {
  const TeamSplit split = splitTeamOperation(batchedProduct(30, 1, 1, 2));
  EXPECT_EQ(split.leftOperands.size(), 2u);
  EXPECT_EQ(split.leftCount, 30u);
  EXPECT_EQ(split.tiles(), 8u);
}

TEST(TeamSplit, AnOperandThatOthersContainIsLoadedOnceForATile) {
  const TeamSplit split = splitTeamOperation(batchedProduct(7, 16, 1, 9));
  EXPECT_EQ(split.leftCount, 16u);
  EXPECT_EQ(split.rightCount, 1u);
  EXPECT_EQ(split.tileLoads(), 5); // 4 and 1
}

/// Computes every entry of the result as a sum of products, in whole numbers, from the lists.
std::vector<uint64_t> byLists(const LaneOperation &operation,
                              const std::vector<std::vector<uint64_t>> &tables) {
  const TeamSplit split = splitTeamOperation(operation);
  std::vector<int32_t> list{7}; // so that the lists are aligned by themselves
  const TeamLists lists =
      addTeamLists(operation, split, std::vector<uint64_t>(tables.size() + 1, 0), list);
  EXPECT_LE(list.size(), 1 + teamListElems(operation, split));
  const auto at = [&](int32_t from, uint64_t record, uint64_t numbers, uint64_t n) {
    return static_cast<uint64_t>(
        list.at(static_cast<size_t>(from) + record * teamRecordElems(numbers) + n));
  };
  std::vector<uint64_t> result(operation.keptAddresses(), 0);
  const uint64_t lefts = split.leftOperands.size(), rights = split.rightOperands.size();
  for (uint64_t b = 0; b < split.restCount; ++b)
    for (uint64_t l = 0; l < split.leftCount; ++l)
      for (uint64_t r = 0; r < split.rightCount; ++r)
        for (uint64_t t = 0; t < operation.reducedAddresses(); ++t) {
          uint64_t term = 1;
          for (uint64_t n = 0; n < lefts + rights; ++n) {
            const size_t operand =
                n < lefts ? split.leftOperands[n] : split.rightOperands[n - lefts];
            const uint64_t own = n < lefts ? at(lists.left, l, 1 + lefts, 1 + n)
                                           : at(lists.right, r, 1 + rights, 1 + n - lefts);
            term *= tables[operation.operands[operand].table].at(
                at(lists.rest, b, 1 + lefts + rights, 1 + n) + own +
                at(lists.terms, t, lefts + rights, n));
          }
          result.at(at(lists.rest, b, 1 + lefts + rights, 0) + at(lists.left, l, 1 + lefts, 0) +
                    at(lists.right, r, 1 + rights, 0)) += term;
        }
  return result;
}

/// Computes the same result digit by digit.
std::vector<uint64_t> byDigits(const LaneOperation &operation,
                               const std::vector<std::vector<uint64_t>> &tables) {
  std::vector<uint64_t> result(operation.keptAddresses(), 0);
  for (uint64_t address = 0; address < operation.addresses(); ++address) {
    uint64_t left = address, place = 0;
    std::vector<uint64_t> places;
    for (const LaneAccess &operand : operation.operands)
      places.push_back(operand.baseElems);
    for (size_t d = operation.digits.size(); d-- > 0;) {
      const uint64_t value = left % operation.digits[d].extent;
      left /= operation.digits[d].extent;
      place += value * operation.result.stridesElems[d];
      for (size_t s = 0; s < places.size(); ++s)
        places[s] += value * operation.operands[s].stridesElems[d];
    }
    uint64_t term = 1;
    for (size_t s = 0; s < places.size(); ++s)
      term *= tables[operation.operands[s].table].at(places[s]);
    result.at(place) += term;
  }
  return result;
}

/// Operands over some of the digits each, with their own order of them.
LaneOperation randomOperation(std::mt19937_64 &random, size_t operands) {
  LaneOperation operation;
  const size_t kept = random() % 5, reduced = random() % 3;
  for (size_t d = 0; d < kept + reduced; ++d)
    operation.digits.push_back({1 + random() % 5, d >= kept});
  for (size_t s = 0; s <= operands; ++s) {
    LaneAccess access{static_cast<uint32_t>(s), s == operands ? 0 : random() % 3,
                      std::vector<uint64_t>(kept + reduced, 0)};
    std::vector<size_t> order(kept + reduced);
    for (size_t d = 0; d < order.size(); ++d)
      order[d] = d;
    if (s != operands)
      std::shuffle(order.begin(), order.end(), random);
    uint64_t stride = 1;
    for (size_t i = order.size(); i-- > 0;) {
      const size_t d = order[i];
      if (s == operands ? d >= kept : random() % 2 == 0)
        continue;
      access.stridesElems[d] = stride;
      stride *= operation.digits[d].extent;
    }
    (s == operands ? operation.result : operation.operands.emplace_back()) = access;
  }
  return operation;
}

TEST(TeamLists, SayWhatTheDigitsSay) {
  std::mt19937_64 random(11);
  size_t sides = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const LaneOperation operation = randomOperation(random, 1 + random() % 4);
    std::vector<std::vector<uint64_t>> tables(operation.operands.size());
    for (size_t s = 0; s < tables.size(); ++s)
      for (uint64_t e = 0; e <= operation.lastOffset(operation.operands[s]) + 2; ++e)
        tables[s].push_back(1 + random() % 100);
    ASSERT_EQ(byLists(operation, tables), byDigits(operation, tables)) << "trial " << trial;
    sides += splitTeamOperation(operation).rightOperands.empty() ? 0 : 1;
  }
  EXPECT_GT(sides, 100u);
}

/// Large steps keep all warps busy, small ones few.
TEST(TeamWork, WarpsOfATeamGoByWhatAStepHasToDo) {
  LaneProgram large;
  large.tables.resize(3);
  large.steps = {batchedProduct(50, 40, 40, 20)};
  const TeamWork work = teamWork(large);
  EXPECT_EQ(teamWarps(work), kMostTeamWarps);
  EXPECT_EQ(work.storedElems, 80000);
  EXPECT_EQ(work.loadedElems, 50 * 10 * 10 * 20 * 8);
  LaneProgram small = large;
  small.steps = std::vector<LaneStep>(30, batchedProduct(1, 3, 3, 2));
  EXPECT_EQ(residentTeams(teamWarps(teamWork(small))), 8u);
}

/// 50 * 10 * 10 tiles of 20 terms, each of 8 loads.
TEST(TeamWork, TheBusiestWorkerHasAShareMoreThanOthers) {
  LaneProgram program;
  program.tables.resize(3);
  program.steps = {batchedProduct(50, 40, 40, 20)};
  const TeamWork work = teamWork(program);
  EXPECT_EQ(work.busiestWaits(1), work.loadedElems);
  EXPECT_EQ(work.busiestWaits(4999), 2 * 20 * 8);
  EXPECT_EQ(work.busiestWaits(5000), 20 * 8);
  EXPECT_EQ(work.busiestWaits(1 << 20), 20 * 8);
}

} // namespace
} // namespace mpf
