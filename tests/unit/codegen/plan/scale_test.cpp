// Shapes that break careless planners: long chains, stars, cliques, dense and hopeless networks.
// Anything quadratic would take minutes at these sizes.
#include "codegen/plan/build_program.h"
#include "codegen/plan/initial/initial_program.h"
#include "codegen/plan/initial/input_contents.h"
#include "codegen/plan/program/program_statistics.h"
#include "codegen/plan/program/verify_program.h"
#include "dsl/support/error.h"
#include "tests/unit/codegen/plan/small_models.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

using namespace mpf;
using namespace mpf::test;

namespace {

TableProgram planned(const Model &model, uint64_t maxMemoryBytes = UINT64_MAX) {
  PlanOptions options;
  options.maxMemoryBytes = maxMemoryBytes;
  Diagnostics diagnostics;
  return buildProgram(model, model.queries.front(), options, diagnostics);
}

size_t widthOf(const Model &model) {
  return programStatistics(planned(model), ElementType::F64).inducedWidth;
}

std::string refusal(const Model &model, uint64_t maxMemoryBytes = UINT64_MAX) {
  try {
    planned(model, maxMemoryBytes);
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::MemoryBound) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "not refused";
  return {};
}

TEST(PlanScale, LongChain) {
  std::vector<std::vector<uint32_t>> scopes;
  for (uint32_t i = 0; i + 1 < 100'000; ++i)
    scopes.push_back({i, i + 1});
  Model model = binaryModel(100'000, scopes);
  EXPECT_EQ(widthOf(model), 1u);
  model.queries.front().kind = QueryKind::Marginals;
  EXPECT_EQ(planned(model).outputs.size(), 100'001u);
  model.queries.front().kind = QueryKind::Mpe;
  EXPECT_EQ(planned(model).traceback.size(), 100'000u);
}

TEST(PlanScale, StarOfLeaves) {
  std::vector<std::vector<uint32_t>> scopes;
  for (uint32_t i = 1; i < 20'000; ++i)
    scopes.push_back({0, i});
  const Model model = binaryModel(20'000, scopes);
  EXPECT_EQ(widthOf(model), 1u);
  for (const Operation &operation : planned(model).operations)
    EXPECT_LE(operation.operands.size(), kMaxOperands);
}

/// width x height, row by row.
Model gridModel(uint32_t width, uint32_t height) {
  std::vector<std::vector<uint32_t>> scopes;
  for (uint32_t i = 0; i < width * height; ++i) {
    if (i % width + 1 < width)
      scopes.push_back({i, i + 1});
    if (i + width < width * height)
      scopes.push_back({i, i + width});
  }
  return binaryModel(width * height, scopes);
}

TEST(PlanScale, LongGrid) {
  const Model model = gridModel(10, 1000);
  const TableProgram program = planned(model);
  const ProgramStatistics statistics = programStatistics(program, ElementType::F64);
  EXPECT_LE(statistics.inducedWidth, 14u);
  // Cell by cell each takes 2^11 addresses; a search worth its time comes within a fifth of that.
  EXPECT_LE(statistics.log2TotalAddressCount, std::log2(1.2 * 10'000 * 2048.0));
  // The grid is long and as wide as a row: memory is reused.
  EXPECT_LE(statistics.memory.workArenaBytes, uint64_t{1} << 20);
}

TEST(PlanScale, ManyConstantsAndUnusedVariables) {
  Model model = binaryModel(50'000, std::vector<std::vector<uint32_t>>(30'000));
  EXPECT_EQ(widthOf(model), 0u);
}

TEST(PlanScale, CliqueOfPairs) {
  std::vector<std::vector<uint32_t>> scopes;
  for (uint32_t i = 0; i < 30; ++i)
    for (uint32_t j = i + 1; j < 30; ++j)
      scopes.push_back({i, j});
  EXPECT_EQ(widthOf(binaryModel(30, scopes)), 29u);
}

TEST(PlanScale, GridsAreSwept) {
  constexpr uint32_t kSide = 16;
  EXPECT_LE(widthOf(gridModel(kSide, kSide)), kSide);
}

TEST(PlanScale, DenseNetworkIsRefused) {
  std::vector<std::vector<uint32_t>> scopes;
  for (uint32_t i = 0; i < 800; ++i)
    for (uint32_t j = i + 1; j < 800; ++j)
      scopes.push_back({i, j});
  const Model model = binaryModel(800, scopes);
  EXPECT_NE(refusal(model).find("2^802.0 bytes"), std::string::npos);
  // No order of all variables is known then: there is nothing to slice.
  EXPECT_NE(refusal(model, uint64_t{1} << 30).find("2^802.0 bytes"), std::string::npos);
}

TEST(PlanScale, LargeGridIsRefused) {
  EXPECT_NE(refusal(gridModel(150, 150)).find("needs at least 2^"), std::string::npos);
}

/// The time for the search is the time for everything: slices of 3600 variables are not looked for
/// beyond it.
TEST(PlanScale, ATimeIsForSlicesToo) {
  const Model model = gridModel(60, 60);
  PlanOptions options;
  options.maxMemoryBytes = uint64_t{16} << 30;
  options.search.seconds = 0.05;
  options.search.threads = 1;
  Diagnostics diagnostics;
  const std::clock_t start = std::clock();
  EXPECT_THROW(buildProgram(model, model.queries.front(), options, diagnostics), Error);
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 2);
}

/// Where inputs and outputs alone exceed the bound, no plan within the bound is searched for.
TEST(PlanScale, ALongChainIsRefusedQuicklyAndRunsInWhatIsNamed) {
  std::vector<std::vector<uint32_t>> scopes;
  for (uint32_t i = 0; i + 1 < 100'000; ++i)
    scopes.push_back({i, i + 1});
  Model model = binaryModel(100'000, scopes);
  model.queries.front().kind = QueryKind::Marginals;
  const std::clock_t start = std::clock();
  const std::string text = refusal(model, 1000);
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 20) << text;
  const size_t open = text.find('(');
  ASSERT_NE(open, std::string::npos) << text;
  const uint64_t named = std::stoull(text.substr(open + 1));
  EXPECT_LE(planMemory(planned(model, named), ElementType::F64).peakBytes, named);
}

TEST(PlanScale, HubFirstIsRefusedQuickly) {
  std::vector<std::vector<uint32_t>> scopes;
  PartialOrder chain;
  for (uint32_t i = 1; i < 20'000; ++i) {
    scopes.push_back({0, i});
    chain.push_back(VarId{i});
  }
  chain.push_back(VarId{size_t{0}}); // least significant: eliminated first
  Model model = binaryModel(20'000, scopes);
  model.orders.push_back(chain);
  EXPECT_NE(refusal(model).find("2^20002.0 bytes"), std::string::npos) << refusal(model);
}

/// The tables have equal hashes, because these do not depend on the order of the entries.
TEST(PlanScale, PermutationsOfOneTable) {
  constexpr size_t kTables = 40'000;
  std::vector<std::vector<uint32_t>> scopes(kTables, {0, 1});
  Model model = modelOf({6, 6}, scopes);
  std::vector<double> values(36);
  std::iota(values.begin(), values.end(), 1.0);
  std::mt19937_64 random(3);
  for (size_t i = 0; i < kTables; ++i) {
    if (i % 4 != 3) // every fourth one repeats the one before it
      std::shuffle(values.begin(), values.end(), random);
    model.factors[i].values = std::make_shared<const std::vector<double>>(values);
  }
  Diagnostics diagnostics;
  const TableProgram initial = initialProgram(model, model.queries.front(), diagnostics);
  const InputContents contents(model, true);
  const std::clock_t start = std::clock();
  const std::vector<TableId> first = contents.firstEqual(initial);
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 1);
  for (size_t i = 0; i < kTables; ++i)
    ASSERT_EQ(first[i], TableId{i % 4 == 3 ? i - 1 : i}) << i;
}

} // namespace
