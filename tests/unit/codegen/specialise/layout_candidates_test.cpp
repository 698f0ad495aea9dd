// Tests the proposals to store an operation's tables, and their times by the cost model.
#include "codegen/specialise/device_costs.h"
#include "codegen/specialise/kernel_choice.h"
#include "codegen/specialise/layout_candidates.h"

#include "codegen/plan/passes/pass_lay_out_tables.h"
#include "codegen/plan/program/program_edit.h"
#include "codegen/plan/program/storage_order.h"
#include "codegen/specialise/specialise_options.h"
#include "tests/unit/codegen/kernel/bucket_builder.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>

namespace mpf {
namespace {

std::vector<VarId> letters(const std::string &order, const std::string &word) {
  std::vector<VarId> ids;
  for (const char letter : word)
    ids.emplace_back(order.find(letter));
  return ids;
}

/// Kept a, c are in f alone, b, d in g alone: interleaved in the result, so that none merge.
TableProgram interleaved(uint32_t extent) {
  TableProgram program =
      bucket("abcdk", {extent, extent, extent, extent, 4}, {"ack", "bdk"}, "abcd");
  program.operations[0].cost = operationCost(program, program.operations[0]);
  return program;
}

TEST(LayoutCandidates, VariablesOfTheSameTablesStandTogether) {
  const TableProgram program = interleaved(8);
  const std::vector<LayoutCandidate> candidates = layoutCandidates(program, OpId(0));
  ASSERT_FALSE(candidates.empty());
  const LayoutCandidate &first = candidates.front();
  ASSERT_EQ(first.size(), 3u);
  const std::vector<VarId> &result = first[2].second;
  const auto at = [&](char letter) {
    return std::find(result.begin(), result.end(), letters("abcdk", {letter})[0]) - result.begin();
  };
  EXPECT_EQ(at('c'), at('a') + 1);
  EXPECT_EQ(at('d'), at('b') + 1);
  EXPECT_EQ(first[0].second.front(), letters("abcdk", "k")[0]) << "the sum above rows";
  for (const LayoutCandidate &candidate : candidates)
    for (const auto &[table, order] : candidate)
      EXPECT_TRUE(layoutFor(program.table(table).scope, order).has_value());
  // One of them leaves the result as it is.
  EXPECT_TRUE(
      std::any_of(candidates.begin(), candidates.end(), [](const LayoutCandidate &candidate) {
        return candidate[2].second == letters("abcdk", "abcd");
      }));
}

TEST(LayoutCandidates, SlicedVariablesStayInFront) {
  TableProgram program = interleaved(8);
  program.variables[0].sliced = true;
  for (const LayoutCandidate &candidate : layoutCandidates(program, OpId(0)))
    for (const auto &[table, order] : candidate)
      if (std::find(order.begin(), order.end(), VarId(0)) != order.end()) {
        EXPECT_EQ(order.front(), VarId(0));
      }
}

TEST(LayoutCandidates, OneNumberHasNone) {
  EXPECT_TRUE(layoutCandidates(bucket("kl", {30, 40}, {"kl", "l"}, ""), OpId(0)).empty());
}

SpecialiseOptions optionsFor(double runs, std::function<bool()> hasGpu = {}) {
  SpecialiseOptions options{targetNamed("sm_90"), runs};
  options.hasGpu = std::move(hasGpu);
  return options;
}

TEST(LayoutCandidates, ThePassGainsByThem) {
  TableProgram program = interleaved(50);
  const auto times = makeDeviceCosts(optionsFor(1e6), ElementType::F64, false);
  const auto before = times->storedUs(program, OpId(0));
  passLayOutTables(program, *times);
  const auto after = times->storedUs(program, OpId(0));
  ASSERT_TRUE(before && after);
  EXPECT_LT(*after, 0.9 * *before);
  EXPECT_EQ(findStorageFault(program), "");
}

TEST(LayoutCandidates, NoneWithoutAGpu) {
  const TableProgram program = interleaved(64);
  int asked = 0;
  const auto times = makeDeviceCosts(optionsFor(3e4,
                                                [&asked] {
                                                  ++asked;
                                                  return false;
                                                }),
                                     ElementType::F64, false);
  // An operation that would have no kernel in any case causes no question.
  EXPECT_TRUE(times->layoutCandidates(interleaved(2), OpId(0)).empty());
  EXPECT_EQ(asked, 0);
  for (int i = 0; i < 3; ++i)
    EXPECT_TRUE(times->layoutCandidates(program, OpId(0)).empty());
  EXPECT_EQ(asked, 1);
}

} // namespace
} // namespace mpf
