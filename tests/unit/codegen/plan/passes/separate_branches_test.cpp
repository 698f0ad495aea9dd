// Separate branches: no operation waits for another because of memory alone, within the bounds.
#include "codegen/plan/passes/pass_separate_branches.h"

#include "codegen/plan/build_program.h"
#include "codegen/plan/program/print_program.h"
#include "codegen/specialise/build_bundle.h"
#include "runtime/schedule/arena_order.h"
#include "tests/oracle/models/random_models.h"
#include "tests/unit/codegen/plan/small_models.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace mpf;
using namespace mpf::test;

namespace {

/// Returns for each operation itself and all operations whose results it needs, directly or not.
std::vector<std::set<uint32_t>> neededBy(const Bundle &bundle) {
  std::vector<std::vector<uint32_t>> writers(bundle.buffers.size());
  std::vector<std::set<uint32_t>> needed(bundle.operations.size());
  for (uint32_t i = 0; i < bundle.operations.size(); ++i) {
    needed[i].insert(i);
    for (const BundleAccess &operand : bundle.operations[i].operands)
      for (const uint32_t writer : writers[operand.buffer.index()])
        needed[i].insert(needed[writer].begin(), needed[writer].end());
    writers[bundle.operations[i].result.buffer.index()].push_back(i);
  }
  return needed;
}

/// Counts pairs of operations of which one waits for the other without needing its result.
size_t countFalseWaits(const Bundle &bundle) {
  const auto needed = neededBy(bundle);
  const auto order = arenaOrder(bundle, {});
  size_t count = 0;
  for (uint32_t i = 0; i < order.size(); ++i)
    for (const uint32_t earlier : order[i])
      count += !needed[i].contains(earlier);
  return count;
}

TEST(SeparateBranches, NothingWaitsForMemory) {
  std::mt19937_64 random(11);
  oracle::RandomModelOptions options;
  options.maxFactors = 40;
  size_t separate = 0, shared = 0;
  for (int i = 0; i < 300; ++i) {
    const Model model = oracle::randomModel(random, options);
    const Query query = oracle::randomQuery(random, model, QueryKind::Marginals);
    Diagnostics diagnostics;
    PlanOptions plan;
    const TableProgram together = buildProgram(model, query, plan, diagnostics);
    plan.branchesAtOnce = true;
    const TableProgram apart = buildProgram(model, query, plan, diagnostics);
    EXPECT_FALSE(together.separateBranches);
    shared += countFalseWaits(buildBundle(model, together, {}));
    if (!apart.separateBranches)
      continue; // it would take more than kMostBranchMemory times the memory
    ++separate;
    EXPECT_EQ(countFalseWaits(buildBundle(model, apart, {})), 0u);
    EXPECT_LE(planMemory(apart, ElementType::F64).peakBytes,
              kMostBranchMemory * planMemory(together, ElementType::F64).peakBytes);
  }
  EXPECT_GT(separate, 250u);
  EXPECT_GT(shared, 100u); // else there was nothing to test
}

/// A star of chains: their messages are all there at once.
Model star(uint32_t chains, uint32_t length, uint32_t extent) {
  std::vector<std::vector<uint32_t>> scopes;
  uint32_t next = 1;
  for (uint32_t chain = 0; chain < chains; ++chain)
    for (uint32_t i = 0; i < length; ++i, ++next)
      scopes.push_back({i == 0 ? 0 : next - 1, next});
  return modelOf(std::vector<uint32_t>(next, extent), scopes, false);
}

TEST(SeparateBranches, StayWithinTheBound) {
  const Model model = star(5, 6, 40);
  Diagnostics diagnostics;
  PlanOptions plan;
  plan.branchesAtOnce = true;
  const TableProgram free = buildProgram(model, model.queries[0], plan, diagnostics);
  ASSERT_TRUE(free.separateBranches);
  plan.maxMemoryBytes = planMemory(free, ElementType::F64).peakBytes;
  EXPECT_TRUE(buildProgram(model, model.queries[0], plan, diagnostics).separateBranches);
  --plan.maxMemoryBytes;
  const TableProgram bounded = buildProgram(model, model.queries[0], plan, diagnostics);
  EXPECT_FALSE(bounded.separateBranches);
  EXPECT_LE(planMemory(bounded, ElementType::F64).peakBytes, plan.maxMemoryBytes);
}

/// The cache of a GPU, which may be absent.
struct Cache final : DeviceCosts {
  explicit Cache(uint64_t bytes, bool isThere = true) : bytes_(bytes), isThere_(isThere) {}
  double operationUs(const TableProgram &, const Operation &) override { return 0; }
  double moveUs(double) const override { return 0; }
  std::optional<double> chainUs(const TableProgram &, TableId, std::span<const OpId>) override {
    return std::nullopt;
  }
  double leastGainUs() const override { return 0; }
  uint64_t cacheBytes() const override { return bytes_; }
  bool storesForGpu() override { return isThere_; }

private:
  uint64_t bytes_;
  bool isThere_;
};

TEST(SeparateBranches, PushNothingOutOfTheCacheOfAGpu) {
  const Model model = star(5, 6, 40);
  Diagnostics diagnostics;
  const TableProgram shared = buildProgram(model, model.queries[0], {}, diagnostics);
  const auto isSeparate = [&](Cache cache) {
    TableProgram program = shared;
    passSeparateBranches(program, {}, &cache);
    return program.separateBranches;
  };
  TableProgram program = shared;
  passSeparateBranches(program, {}, nullptr);
  const uint64_t least = planMemory(shared, ElementType::F64).peakBytes;
  const uint64_t separate = planMemory(program, ElementType::F64).peakBytes;
  ASSERT_GT(separate, least);
  EXPECT_TRUE(isSeparate(Cache(separate)));
  EXPECT_FALSE(isSeparate(Cache(separate - 1)));
  EXPECT_FALSE(isSeparate(Cache(least)));
  EXPECT_TRUE(isSeparate(Cache(least - 1))); // it is out anyway
  EXPECT_TRUE(isSeparate(Cache(least, false)));
}

/// Pages that threads cannot earn back stay untouched.
TEST(SeparateBranches, TouchNoMorePagesThanTheySave) {
  const Model model = star(5, 6, 170);
  Diagnostics diagnostics;
  const TableProgram shared = buildProgram(model, model.queries[0], {}, diagnostics);
  const auto isSeparate = [&shared](double touchUs, double gainUs, double runs) {
    TableProgram program = shared;
    BranchTerms terms;
    terms.costs.memory = {.largeTouchUs = 512 * touchUs, .smallTouchUs = touchUs};
    terms.costs.expectedRuns = runs;
    terms.mostGainUs = gainUs;
    passSeparateBranches(program, terms, nullptr);
    return program.separateBranches;
  };
  TableProgram separate = shared;
  passSeparateBranches(separate, {}, nullptr);
  const auto bytesOf = [](const TableProgram &program) {
    return static_cast<double>(planMemory(program, ElementType::F64).peakBytes);
  };
  const MemoryPrice unit{.largeTouchUs = 512, .smallTouchUs = 1};
  const double pages = firstTouchUs(unit, bytesOf(separate)) - firstTouchUs(unit, bytesOf(shared));
  ASSERT_GT(pages, 0);
  EXPECT_TRUE(isSeparate(1, 2.01 * pages, 1));
  EXPECT_FALSE(isSeparate(1, 1.99 * pages, 1));
  EXPECT_TRUE(isSeparate(1, 1.99 * pages, 2)) << "pages cost once";
  EXPECT_TRUE(isSeparate(1, std::numeric_limits<double>::infinity(), 1));
  EXPECT_FALSE(isSeparate(1, 0, 1e9)) << "one thread gains nothing";
  EXPECT_TRUE(isSeparate(0, 0, 1)) << "memory is free";
}

/// Where predictions cost less than the pages, these must cost less than the predicted gain.
TEST(SeparateBranches, TouchNoMorePagesThanIsPredicted) {
  const Model model = star(5, 6, 170);
  Diagnostics diagnostics;
  const TableProgram shared = buildProgram(model, model.queries[0], {}, diagnostics);
  size_t asked = 0;
  const auto isSeparate = [&](double touchUs, double gainUs, double runs) {
    TableProgram program = shared;
    BranchTerms terms;
    terms.costs.memory = {.largeTouchUs = 512 * touchUs, .smallTouchUs = touchUs};
    terms.costs.expectedRuns = runs;
    terms.programUs = [&](const TableProgram &of) {
      ++asked;
      return of.separateBranches ? 1000 : 1000 + gainUs;
    };
    passSeparateBranches(program, terms, nullptr);
    return program.separateBranches;
  };
  TableProgram separate = shared;
  passSeparateBranches(separate, {}, nullptr);
  const auto touchedUs = [](const TableProgram &program) {
    const MemoryPrice unit{.largeTouchUs = 512, .smallTouchUs = 1};
    return firstTouchUs(unit, static_cast<double>(planMemory(program, ElementType::F64).peakBytes));
  };
  const double pages = touchedUs(separate) - touchedUs(shared);
  ASSERT_GT(pages, 0);
  EXPECT_TRUE(isSeparate(1000, 1010 * pages, 1));
  EXPECT_FALSE(isSeparate(1000, 990 * pages, 1));
  EXPECT_TRUE(isSeparate(1000, 990 * pages, 2)) << "pages cost once";
  EXPECT_EQ(asked, 6u);
  EXPECT_TRUE(isSeparate(1e-3, 0, 1)) << "predictions cost more than the pages";
  EXPECT_EQ(asked, 6u);
}

TEST(SeparateBranches, AreInThePlansText) {
  const Model model = star(3, 3, 4);
  Diagnostics diagnostics;
  PlanOptions plan;
  plan.branchesAtOnce = true;
  const TableProgram program = buildProgram(model, model.queries[0], plan, diagnostics);
  ASSERT_TRUE(program.separateBranches);
  EXPECT_NE(printProgram(program).find(" separate_branches\n"), std::string::npos);
}

} // namespace
