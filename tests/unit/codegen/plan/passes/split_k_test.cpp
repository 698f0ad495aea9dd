// Split sums: answers, text and memory stay right, and programs whose splits make no sense are
// refused.
#include "codegen/plan/build_program.h"
#include "codegen/plan/program/print_program.h"
#include "codegen/plan/program/program_edit.h"
#include "codegen/plan/program/program_memory.h"
#include "codegen/plan/program/read_program.h"
#include "codegen/plan/program/verify_program.h"
#include "tests/oracle/brute/evaluate_program.h"
#include "tests/oracle/models/cut_everywhere.h"
#include "tests/oracle/models/random_models.h"
#include "tests/oracle/models/sliced_programs.h"
#include "tests/unit/codegen/plan/small_models.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <numeric>

using namespace mpf;

namespace {

Model largeDomains(std::mt19937_64 &random) {
  oracle::RandomModelOptions shape;
  shape.maxVariables = 6;
  shape.maxExtent = 6;
  return oracle::randomModel(random, shape);
}

TableProgram plannedWith(const Model &model, const Query &query, DeviceCosts *times,
                         uint64_t maxMemoryBytes = UINT64_MAX) {
  PlanOptions options;
  options.deviceCosts = times;
  options.maxMemoryBytes = maxMemoryBytes;
  Diagnostics diagnostics;
  return buildProgram(model, query, options, diagnostics);
}

size_t sumsInSplits(const TableProgram &program) {
  return static_cast<size_t>(std::count_if(program.tables.begin(), program.tables.end(),
                                           [](const ProgramTable &t) { return t.splits > 1; }));
}

void expectSameAnswers(const Model &model, const TableProgram &a, const TableProgram &b) {
  const oracle::EvaluatedProgram one = oracle::evaluateProgram(model, a);
  const oracle::EvaluatedProgram two = oracle::evaluateProgram(model, b);
  ASSERT_EQ(one.outputs.size(), two.outputs.size());
  for (const auto &[name, entries] : one.outputs) {
    const auto &others = two.outputs.at(name);
    ASSERT_EQ(entries.size(), others.size()) << name;
    for (size_t i = 0; i < entries.size(); ++i) {
      if (std::isnan(entries[i]) && std::isnan(others[i]))
        continue; // impossible evidence
      EXPECT_NEAR(static_cast<double>(entries[i]), static_cast<double>(others[i]),
                  1e-14 * static_cast<double>(std::abs(entries[i])))
          << name << " " << i;
    }
  }
}

TEST(SplitK, NumbersOfPartsThatDivide) {
  const std::vector<uint64_t> extents{4, 1, 6, 5};
  EXPECT_EQ(splitChoices(extents, 1000), (std::vector<uint64_t>{2, 4, 8, 12, 24}));
  EXPECT_EQ(splitChoices(extents, 11), (std::vector<uint64_t>{2, 4, 8}));
  EXPECT_EQ(splitChoices(std::vector<uint64_t>{65537}, 65536), std::vector<uint64_t>{});
  for (const uint64_t splits : splitChoices(extents, 1000))
    EXPECT_TRUE(splitsDivide(extents, splits)) << splits;
  for (const uint64_t splits : {3u, 6u, 16u, 48u, 240u})
    EXPECT_FALSE(splitsDivide(extents, splits)) << splits;
  EXPECT_TRUE(splitsDivide({}, 1));
  EXPECT_FALSE(splitsDivide({}, 2));
}

TEST(SplitK, AnswersAndTextStay) {
  std::mt19937_64 random(17);
  constexpr QueryKind kAskedKinds[] = {QueryKind::Evidence, QueryKind::Marginals, QueryKind::Mpe,
                                       QueryKind::Joint, QueryKind::Expression};
  size_t cut = 0;
  for (size_t i = 0; i < 100; ++i) {
    const Model model = largeDomains(random);
    const Query query = oracle::randomQuery(random, model, kAskedKinds[i % 5]);
    oracle::CutEverywhere times(i);
    const TableProgram whole = plannedWith(model, query, nullptr);
    const TableProgram program = plannedWith(model, query, &times);
    cut += sumsInSplits(program);
    EXPECT_EQ(sumsInSplits(whole), 0u);
    expectSameAnswers(model, whole, program);
    const std::string text = printProgram(program);
    Diagnostics diagnostics;
    const auto read = readPrograms(std::make_shared<const SourceBuffer>("plan", text), diagnostics);
    ASSERT_TRUE(read) << renderDiagnostics(diagnostics) << text;
    EXPECT_EQ(printProgram(read->front().program), text);
  }
  EXPECT_GE(cut, 60u);
}

/// An operation that shares the result of a cut sum does not run, and stays as it is.
TEST(SplitK, OfWhatIsShared) {
  Model model = test::modelOf({8, 6, 8, 6, 8, 6}, {{0, 1}, {2, 3}, {4, 5}});
  for (size_t i = 0; i < model.factors.size(); ++i) {
    std::vector<double> values(48);
    std::iota(values.begin(), values.end(), i / 2); // the first two are equal
    model.factors[i].values = std::make_shared<const std::vector<double>>(std::move(values));
  }
  oracle::CutEverywhere times(1);
  PlanOptions options;
  options.finalTables = true;
  options.deviceCosts = &times;
  Diagnostics diagnostics;
  const TableProgram program = buildProgram(model, model.queries.front(), options, diagnostics);
  const auto isSumOfParts = [&program](TableId id) {
    const ProgramTable &table = program.table(id);
    return table.producer.valid() && splitsRead(program, program.operation(table.producer)) > 1;
  };
  size_t shared = 0;
  for (const ProgramTable &table : program.tables)
    shared += table.sameAs.valid() && isSumOfParts(table.sameAs);
  EXPECT_EQ(shared, 1u) << printProgram(program);
  EXPECT_EQ(verifyProgram(program).value_or(""), "");
  expectSameAnswers(model, plannedWith(model, model.queries.front(), nullptr), program);

  TableProgram wrong = program; // sums of other terms
  for (ProgramTable &table : wrong.tables)
    if (table.isInput())
      table.sameAs = {};
  EXPECT_NE(verifyProgram(wrong).value_or("").find("is not the same as"), std::string::npos);
}

TEST(SplitK, InsideTheLoopsOfSlices) {
  std::mt19937_64 random(19);
  size_t cut = 0;
  for (size_t i = 0; i < 40; ++i) {
    const Model model = largeDomains(random);
    const Query query = oracle::randomQuery(random, model, QueryKind::Evidence);
    oracle::CutEverywhere times(i);
    const TableProgram program =
        oracle::randomlySliced(random, model, query, 1 + i % 2, {}, KeptMessages::None, &times);
    cut += sumsInSplits(program);
    expectSameAnswers(model, plannedWith(model, query, nullptr), program);
  }
  EXPECT_GE(cut, 10u);
}

/// Parts take separate memory, which is planned like all other.
TEST(SplitK, ABoundGoesBeforeParts) {
  const Model model = test::modelOf({4, 4, 4096}, {{0, 2}, {1, 2}}, false);
  Query query = model.queries.front();
  query.kind = QueryKind::Expression;
  query.output = {VarId{0}, VarId{1}};
  query.reductions = {{Reduce::Sum, {VarId{2}}}};
  oracle::CutEverywhere times(1);
  const TableProgram whole = plannedWith(model, query, nullptr);
  const uint64_t bytes = planMemory(whole, ElementType::F64).peakBytes;
  const TableProgram program = plannedWith(model, query, &times);
  ASSERT_EQ(sumsInSplits(program), 1u);
  const MemoryPlan memory = planMemory(program, ElementType::F64);
  EXPECT_GE(memory.peakBytes, bytes + program.table(program.operations[0].result).sizeElems * 8);
  EXPECT_EQ(sumsInSplits(plannedWith(model, query, &times, bytes)), 0u);
}

TEST(SplitK, PartsThatMakeNoSenseAreRefused) {
  std::mt19937_64 random(23);
  const Model model = largeDomains(random);
  oracle::CutEverywhere times(5);
  const TableProgram program =
      plannedWith(model, oracle::randomQuery(random, model, QueryKind::Evidence), &times);
  size_t first = 0;
  while (first < program.operations.size() &&
         program.table(program.operations[first].result).splits == 1)
    ++first;
  ASSERT_LT(first + 1, program.operations.size());
  const auto fault = [&](const std::function<void(TableProgram &, Operation &)> &change) {
    TableProgram changed = program;
    change(changed, changed.operations[first + 1]);
    for (Operation &operation : changed.operations)
      operation.cost = operationCost(changed, operation);
    return verifyProgram(changed).value_or("");
  };
  const TableId splits = program.operations[first].result;
  const auto resize = [&](TableProgram &p, uint32_t number) {
    ProgramTable &table = p.tables[splits.index()];
    table.sizeElems = table.sizeElems / table.splits * number;
    table.splits = number;
  };
  EXPECT_EQ(fault([](TableProgram &, Operation &) {}), "");
  const auto refused = [&](const std::string &why, const auto &change) {
    EXPECT_NE(fault(change).find(why), std::string::npos) << fault(change);
  };
  refused("is in 0 splits", [&](TableProgram &p, Operation &) { resize(p, 0); });
  refused("its sum cannot be cut into 4096 splits",
          [&](TableProgram &p, Operation &) { resize(p, 4096); });
  refused("splits of a sum and does more",
          [](TableProgram &, Operation &o) { o.operands.push_back(o.operands[0]); });
  refused("in another semiring than theirs",
          [](TableProgram &, Operation &o) { o.semiring.reduce = Reduce::Max; });
  refused("output", [&](TableProgram &p, Operation &) { p.outputs[0].table = splits; });
  refused("is in 2 splits", [&](TableProgram &p, Operation &) { p.tables[0].splits = 2; });
}

} // namespace
