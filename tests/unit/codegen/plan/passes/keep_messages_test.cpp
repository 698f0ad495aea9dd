// Tests which messages outlast a run; the memory bound comes before that.
#include "codegen/plan/build_program.h"
#include "codegen/plan/program/program_memory.h"
#include "codegen/plan/program/program_statistics.h"
#include "codegen/plan/program/verify_program.h"
#include "tests/unit/codegen/plan/small_models.h"

#include <gtest/gtest.h>

using namespace mpf;

namespace {

/// x0 - x1 - ... of extent 4; the last one is observed. Eliminated from x0 on.
Model chain(uint32_t length) {
  std::vector<std::vector<uint32_t>> scopes;
  PartialOrder order;
  for (uint32_t i = 0; i + 1 < length; ++i)
    scopes.push_back({i, i + 1});
  Model model = test::modelOf(std::vector<uint32_t>(length, 4), scopes);
  for (uint32_t i = length; i-- > 0;)
    if (i + 1 < length)
      order.push_back(VarId{i});
  model.orders.push_back(order);
  model.evidence.add({{VarId{length - 1}, 1}});
  return model;
}

TableProgram plannedKeeping(const Model &model, KeptMessages keep,
                            uint64_t maxMemoryBytes = UINT64_MAX) {
  PlanOptions options;
  options.keep = keep;
  options.maxMemoryBytes = maxMemoryBytes;
  Diagnostics diagnostics;
  const PlanHooks hooks{{"join-buckets"}, false, {}, {}};
  TableProgram program =
      buildProgram(model, shortQuery(model, QueryKind::Evidence), options, diagnostics, hooks);
  const auto problem = verifyProgram(program);
  EXPECT_FALSE(problem) << *problem;
  return program;
}

std::vector<size_t> keptOperations(const TableProgram &program) {
  std::vector<size_t> kept;
  for (const ProgramTable &table : program.tables)
    if (table.kept)
      kept.push_back(table.producer.index());
  return kept;
}

uint64_t peakBytes(const TableProgram &program) {
  return planMemory(program, ElementType::F64).peakBytes;
}

TEST(KeepMessages, TheLastConstantMessage) {
  const TableProgram program = plannedKeeping(chain(6), KeptMessages::Constant);
  ASSERT_EQ(program.operations.size(), 5u);
  // Operation 3 makes the message to x4, whose other table is restricted to the observed state.
  EXPECT_EQ(keptOperations(program), (std::vector<size_t>{3}));
  EXPECT_TRUE(keptOperations(plannedKeeping(chain(6), KeptMessages::None)).empty());
  EXPECT_EQ(keptOperations(plannedKeeping(chain(6), KeptMessages::All)).size(), 5u);
}

TEST(KeepMessages, KeptTablesLieAlone) {
  for (const KeptMessages keep : {KeptMessages::Constant, KeptMessages::All}) {
    const TableProgram program = plannedKeeping(chain(9), keep);
    const MemoryPlan memory = planMemory(program, ElementType::F64);
    for (size_t i = 0; i < program.tables.size(); ++i)
      for (size_t k = 0; k < program.tables.size(); ++k)
        if (i != k && program.tables[i].kept && !program.tables[k].isInput()) {
          EXPECT_NE(memory.offsetBytes[i], memory.offsetBytes[k]);
        }
  }
}

TEST(KeepMessages, NothingIsKeptOfAProgramThatNothingCanChange) {
  Model model = chain(6);
  model.evidence = {};
  EXPECT_TRUE(keptOperations(plannedKeeping(model, KeptMessages::Constant)).empty());
}

TEST(KeepMessages, TheMemoryBoundGoesBefore) {
  const Model model = chain(9);
  const uint64_t least = peakBytes(plannedKeeping(model, KeptMessages::None)),
                 some = peakBytes(plannedKeeping(model, KeptMessages::Constant)),
                 most = peakBytes(plannedKeeping(model, KeptMessages::All));
  ASSERT_LT(least, some);
  ASSERT_LT(some, most);
  EXPECT_EQ(peakBytes(plannedKeeping(model, KeptMessages::All, most)), most);
  EXPECT_EQ(peakBytes(plannedKeeping(model, KeptMessages::All, most - 1)), some);
  EXPECT_EQ(peakBytes(plannedKeeping(model, KeptMessages::All, some - 1)), least);
  EXPECT_EQ(peakBytes(plannedKeeping(model, KeptMessages::Constant, some - 1)), least);
}

} // namespace
