// Tests that equal tables are stored once and equal messages computed once: before and after, and
// on random models with repeated tables. There, shared tables really hold equal entries.
#include "codegen/plan/build_program.h"
#include "codegen/plan/passes/pass_share_tables.h"
#include "codegen/plan/program/program_memory.h"
#include "codegen/plan/program/program_statistics.h"
#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/program/verify_program.h"
#include "tests/oracle/brute/evaluate_program.h"
#include "tests/oracle/models/random_models.h"
#include "tests/oracle/models/sliced_programs.h"
#include "tests/unit/codegen/plan/small_models.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace mpf;

namespace {

TableProgram plannedSharing(const Model &model, bool share = true,
                            QueryKind kind = QueryKind::Evidence) {
  PlanOptions options;
  options.finalTables = true;
  PlanHooks hooks;
  if (!share)
    hooks.offPasses = {"share-tables"};
  Diagnostics diagnostics;
  return buildProgram(model, shortQuery(model, kind), options, diagnostics, hooks);
}

TableValues table(std::vector<double> values) {
  return std::make_shared<const std::vector<double>>(std::move(values));
}

/// Returns equal stars of three leaves, with no connection between stars.
Model stars(size_t count) {
  std::vector<uint32_t> extents;
  std::vector<std::vector<uint32_t>> scopes;
  for (uint32_t star = 0; star < count; ++star) {
    const auto centre = static_cast<uint32_t>(extents.size());
    extents.insert(extents.end(), {3, 2, 2, 2});
    for (uint32_t leaf = 1; leaf <= 3; ++leaf)
      scopes.push_back({centre, centre + leaf});
  }
  Model model = test::modelOf(extents, scopes);
  for (Factor &factor : model.factors)
    factor.values = table({1, 2, 3, 4, 5, 6});
  return model;
}

TEST(ShareTables, EqualComponentsAreComputedOnce) {
  const Model model = stars(5);
  const TableProgram before = plannedSharing(model, false), after = plannedSharing(model);
  const ProgramStatistics dear = programStatistics(before, ElementType::F64),
                          cheap = programStatistics(after, ElementType::F64);
  EXPECT_EQ(before.operations.size(), after.operations.size()) << "they are listed still";
  EXPECT_EQ(dear.runOperations, before.operations.size());
  // One leaf message, one centre, and products of the five equal numbers.
  EXPECT_LE(cheap.runOperations, 4u);
  EXPECT_EQ(cheap.sharedInputs, 13u) << "15 equal tables; one of a star lies the other way round";
  EXPECT_LT(cheap.memory.inputArenaBytes, dear.memory.inputArenaBytes);
  EXPECT_LT(cheap.log2TotalOps, dear.log2TotalOps - 2);
  EXPECT_EQ(oracle::evaluateProgram(model, after).outputs,
            oracle::evaluateProgram(model, before).outputs);
}

TEST(ShareTables, TransposedTablesAreTheSameWhereTheyAreStoredSo) {
  // f(x0, x1) and g(x3, x2): the order of the variables decides how they are stored.
  Model model = test::modelOf({2, 3, 2, 3}, {{0, 1}, {3, 2}});
  model.factors[0].values = table({1, 2, 3, 4, 5, 6});
  model.factors[1].values = table({1, 4, 2, 5, 3, 6});
  model.orders.push_back({VarId{0}, VarId{1}, VarId{2}, VarId{3}});
  EXPECT_EQ(programStatistics(plannedSharing(model), ElementType::F64).sharedInputs, 1u);
  model.orders.front() = {VarId{0}, VarId{1}, VarId{3}, VarId{2}};
  EXPECT_EQ(programStatistics(plannedSharing(model), ElementType::F64).sharedInputs, 0u);
}

TEST(ShareTables, WhatASessionMayChangeIsNeverShared) {
  Model model = stars(2);
  model.factors[4].values = nullptr; // bound by the host program
  const TableProgram program = plannedSharing(model);
  for (size_t i = 0; i < program.tables.size(); ++i)
    if (program.tables[i].factor == FactorId{4}) {
      EXPECT_FALSE(program.tables[i].sameAs.valid());
      for (const ProgramTable &other : program.tables)
        EXPECT_NE(other.sameAs, TableId{i});
    }
  // The values of this model may be bound anew.
  const Model open = stars(2);
  Diagnostics diagnostics;
  const TableProgram unshared =
      buildProgram(open, shortQuery(open, QueryKind::Evidence), {}, diagnostics);
  EXPECT_EQ(programStatistics(unshared, ElementType::F64).runOperations,
            unshared.operations.size());
}

TEST(ShareTables, RestrictedTablesAreTheSameForTheSameObservedVariableOnly) {
  // Two tables beside x0, which is observed, and one beside x3, which is observed in the same
  // state.
  Model model = test::modelOf({2, 2, 2, 2, 2}, {{0, 1}, {0, 2}, {3, 4}});
  for (Factor &factor : model.factors)
    factor.values = table({1, 2, 3, 4});
  model.evidence.add({{VarId{0}, 1}, {VarId{3}, 1}});
  const TableProgram program = plannedSharing(model);
  ASSERT_EQ(program.tables[2].factor, FactorId{2});
  EXPECT_EQ(program.tables[1].sameAs, TableId{0});
  EXPECT_FALSE(program.tables[2].sameAs.valid());
}

/// Checks that shared tables have equal entries, sizes and memory. Tables that share memory must be
/// equal or live at different times.
void expectSound(const Model &model, const TableProgram &program) {
  const auto problem = verifyProgram(program);
  ASSERT_FALSE(problem) << *problem;
  const oracle::EvaluatedProgram values = oracle::evaluateProgram(model, program);
  const MemoryPlan memory = planMemory(program, ElementType::F64);
  for (size_t i = 0; i < program.tables.size(); ++i) {
    const TableId same = program.stored(TableId{i});
    ASSERT_EQ(memory.offsetBytes[i], memory.offsetBytes[same.index()]);
    const auto &own = values.tables[i], &other = values.tables[same.index()];
    ASSERT_EQ(own.size(), other.size());
    for (size_t k = 0; k < own.size(); ++k)
      ASSERT_NEAR(static_cast<double>(own[k] / std::max(other[k], 1e-300L)), other[k] > 0 ? 1 : 0,
                  1e-15);
  }
}

TEST(ShareTables, RandomModelsWithRepeatedTables) {
  std::mt19937_64 random(20081118);
  oracle::RandomModelOptions shape;
  shape.maxFactors = 24;
  shape.maxVariables = 12;
  shape.maxArity = 2;
  shape.maxExtent = 2;
  shape.repeatedTables = 1;
  shape.zeroShare = 0;
  size_t shared = 0;
  for (int i = 0; i < 300 && !testing::Test::HasFatalFailure(); ++i) {
    SCOPED_TRACE(i);
    const Model model = oracle::randomModel(random, shape);
    constexpr QueryKind kSharedKinds[] = {QueryKind::Evidence, QueryKind::Marginals,
                                          QueryKind::Mpe};
    const TableProgram program = plannedSharing(model, true, kSharedKinds[i % 3]);
    shared +=
        program.operations.size() - programStatistics(program, ElementType::F64).runOperations;
    expectSound(model, program);
  }
  EXPECT_GT(shared, 300u) << "the test must see shared messages";
}

/// Tables of one slice are the same as others of the same slice only. The slices of the oracle are
/// computed all at once, so entries can be compared where the sliced variables are the same.
TEST(ShareTables, SlicedPrograms) {
  std::mt19937_64 random(5);
  size_t inLoops = 0;
  for (int i = 0; i < 200 && !testing::Test::HasFatalFailure(); ++i) {
    SCOPED_TRACE(i);
    // A random tree of equal edges.
    std::vector<std::vector<uint32_t>> scopes;
    for (uint32_t v = 1; v < 10; ++v)
      scopes.push_back({static_cast<uint32_t>(random() % v), v});
    Model model = test::modelOf(std::vector<uint32_t>(10, 2), scopes);
    for (Factor &factor : model.factors)
      factor.values = table({1, 2, 3, 4});
    const TableProgram program =
        oracle::randomlySliced(random, model, shortQuery(model, QueryKind::Evidence), 2);
    const SliceLevels levels(program);
    for (const ProgramTable &table : program.tables) {
      if (table.isInput() || !table.sameAs.valid())
        continue;
      const ProgramTable &other = program.table(table.sameAs);
      EXPECT_EQ(levels.ofScope(table.scope), levels.ofScope(other.scope));
      inLoops += levels.ofScope(table.scope) > 0;
    }
    expectSound(model, program);
  }
  EXPECT_GT(inLoops, 20u);
}

} // namespace
