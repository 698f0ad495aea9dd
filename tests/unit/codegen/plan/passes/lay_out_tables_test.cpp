// Which candidates for layouts are taken: those by which all users of a table gain together.
// Answers stay, and so do tables that can be stored in one way only.
#include "codegen/plan/passes/pass_lay_out_tables.h"

#include "codegen/plan/build_program.h"
#include "codegen/plan/passes/plan_pipeline.h"
#include "codegen/plan/program/device_costs.h"
#include "codegen/plan/program/print_program.h"
#include "codegen/plan/program/read_program.h"
#include "codegen/plan/program/slice_levels.h"
#include "codegen/plan/program/storage_order.h"
#include "codegen/plan/program/verify_program.h"
#include "tests/oracle/models/cut_everywhere.h"
#include "tests/oracle/models/random_models.h"
#include "tests/oracle/models/sliced_programs.h"
#include "tests/unit/codegen/plan/small_models.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <gtest/gtest.h>

using namespace mpf;

namespace {

/// Times for which every operation likes a table best whose last variable is the one it asks for.
class LastVariableTimes final : public DeviceCosts {
public:
  using Liked = std::function<std::optional<VarId>(OpId)>;
  /// An operation takes 1 and `penaltyUs` for each table that is not stored as it likes.
  LastVariableTimes(Liked liked, std::function<double(OpId)> penaltyUs)
      : liked_(std::move(liked)), penaltyUs_(std::move(penaltyUs)) {}

  std::optional<double> storedUs(const TableProgram &program, OpId id) override {
    double timeUs = 1;
    const std::optional<VarId> last = liked_(id);
    for (const TableId table : tablesOf(program, id)) {
      const std::vector<VarId> order = storageOrder(program, table);
      const bool has = last && std::find(order.begin(), order.end(), *last) != order.end();
      timeUs += has && order.back() != *last ? penaltyUs_(id) : 0;
    }
    return timeUs;
  }

  std::vector<LayoutCandidate> layoutCandidates(const TableProgram &program, OpId id) override {
    LayoutCandidate candidate;
    if (const std::optional<VarId> last = liked_(id))
      for (const TableId table : tablesOf(program, id)) {
        std::vector<VarId> order = program.table(table).scope;
        const auto at = std::find(order.begin(), order.end(), *last);
        if (at != order.end())
          std::rotate(at, at + 1, order.end());
        candidate.emplace_back(table, std::move(order));
      }
    return {candidate};
  }

  double operationUs(const TableProgram &, const Operation &) override { return 1; }
  double moveUs(double) const override { return 1; }
  std::optional<double> chainUs(const TableProgram &, TableId, std::span<const OpId>) override {
    return std::nullopt;
  }
  double leastGainUs() const override { return 0.01; }

private:
  static std::vector<TableId> tablesOf(const TableProgram &program, OpId id) {
    std::vector<TableId> tables = program.operation(id).operands;
    tables.push_back(program.operation(id).result);
    return tables;
  }

  Liked liked_;
  std::function<double(OpId)> penaltyUs_;
};

/// f(a, b, c) g(a, c) with b reduced, then a: m0(c, a), m1(c).
TableProgram twoSteps(DeviceCosts *times = nullptr, PlanHooks hooks = {}) {
  const Model model = test::modelOf({4, 5, 6}, {{0, 1, 2}, {0, 2}}, false);
  Query query = model.queries.front();
  query.kind = QueryKind::Joint;
  query.output = {VarId{2}};
  query.reductions = {{Reduce::Sum, {VarId{0}, VarId{1}}}};
  for (const char *pass : {"join-buckets", "merge-operands"})
    hooks.offPasses.push_back(pass);
  PlanOptions options;
  options.deviceCosts = times;
  Diagnostics diagnostics;
  return buildProgram(model, query, options, diagnostics, hooks);
}

TEST(LayOutTables, WithoutCostsThePassIsNotRun) {
  for (const ProgramTable &table : twoSteps().tables)
    EXPECT_TRUE(table.layout.empty()) << table.name;
}

TEST(LayOutTables, InputsFollowTheirOnlyReader) {
  TableProgram program = twoSteps();
  ASSERT_GE(program.operations.size(), 2u) << printProgram(program);
  const TableId input = program.operations[0].operands[0];
  const VarId first = program.table(input).scope[0];
  LastVariableTimes times(
      [first](OpId id) { return id == OpId{0} ? std::optional(first) : std::nullopt; },
      [](OpId) { return 10; });
  passLayOutTables(program, times);
  EXPECT_EQ(storageOrder(program, input).back(), first) << printProgram(program);
  EXPECT_EQ(verifyProgram(program).value_or(""), "");
}

TEST(LayOutTables, NothingMovesWhenTheSearchIsToEnd) {
  TableProgram program = twoSteps();
  const std::string before = printProgram(program);
  const VarId first = program.table(program.operations[0].operands[0]).scope[0];
  LastVariableTimes times([first](OpId) { return std::optional(first); }, [](OpId) { return 10; });
  const std::atomic<bool> stop{true};
  SearchLimits limits;
  limits.stop = &stop;
  passLayOutTables(program, times, SearchStop(limits));
  EXPECT_EQ(printProgram(program), before);
}

/// The message between the two operations is stored for the one that loses more.
TEST(LayOutTables, WhoLosesMoreHasTheMessage) {
  for (const bool producerLosesMore : {false, true}) {
    TableProgram program = twoSteps();
    const TableId message = program.operations[0].result;
    const std::vector<VarId> scope = program.table(message).scope;
    ASSERT_EQ(scope.size(), 2u) << printProgram(program);
    // The producer wants the first variable last, the consumer the last one.
    LastVariableTimes times([&](OpId id) { return std::optional(scope[id == OpId{0} ? 0 : 1]); },
                            [&](OpId id) { return (id == OpId{0}) == producerLosesMore ? 10 : 1; });
    passLayOutTables(program, times);
    EXPECT_EQ(storageOrder(program, message).back(), scope[producerLosesMore ? 0 : 1])
        << printProgram(program);
    // The input is the producer's alone in any case.
    EXPECT_EQ(storageOrder(program, program.operations[0].operands[0]).back(), scope[0]);
  }
}

TEST(LayOutTables, CanBeTurnedOff) {
  LastVariableTimes times([](OpId) { return std::optional(VarId{2}); }, [](OpId) { return 10; });
  const auto laidOut = [&](const PlanHooks &hooks) {
    const TableProgram program = twoSteps(&times, hooks);
    return std::any_of(program.tables.begin(), program.tables.end(),
                       [](const ProgramTable &table) { return !table.layout.empty(); });
  };
  bool shown = false;
  EXPECT_TRUE(laidOut({}));
  EXPECT_TRUE(
      laidOut({{},
               true,
               false,
               [&shown](const PassEvent &event) { shown |= event.pass == "lay-out-tables"; },
               {}}));
  EXPECT_TRUE(shown);
  EXPECT_FALSE(laidOut({{"lay-out-tables"}, true, false, {}, {}}));
}

/// The reader of the shared table is in no loop and would exchange its variables; the table that
/// stores its entries is sliced.
TEST(LayOutTables, SlicesOfSharedTablesStayInOnePiece) {
  constexpr const char *kText = "plan q evidence\n"
                                "variable x extent=3 sliced\n"
                                "variable y extent=3\nvariable u extent=3\nvariable v extent=3\n"
                                "order 0 1 2 3\n"
                                "table f factor=0 scope 0 1\n"
                                "table g factor=1 scope 2 3 same 0\n"
                                "op sum-product tables 0 reduce 1\n"
                                "op sum-product tables 2 reduce 0\n"
                                "op sum-product tables 1 reduce 3\n"
                                "op sum-product tables 4 reduce 2\n"
                                "op sum-product tables 3 5\n"
                                "output q table 6 scope\n";
  Diagnostics diagnostics;
  auto read = readPrograms(std::make_shared<const SourceBuffer>("p.plan", kText), diagnostics);
  ASSERT_TRUE(read) << renderDiagnostics(diagnostics);
  TableProgram program = std::move(read->front().program);
  LastVariableTimes times(
      [](OpId id) { return id == OpId{2} ? std::optional(VarId{2}) : std::nullopt; },
      [](OpId) { return 10; });
  passLayOutTables(program, times);
  EXPECT_EQ(verifyProgram(program).value_or(""), "") << printProgram(program);
}

/// Candidates at random, taken at random: programs stay sound, splits are stored as their sums.
class RandomCandidates final : public DeviceCosts {
public:
  explicit RandomCandidates(uint64_t seed) : random_(seed), splits_(seed) {}

  std::optional<double> storedUs(const TableProgram &, OpId) override {
    return 1 + static_cast<double>(random_() % 1000);
  }
  std::vector<LayoutCandidate> layoutCandidates(const TableProgram &program, OpId id) override {
    std::vector<TableId> tables = program.operation(id).operands;
    tables.push_back(program.operation(id).result);
    LayoutCandidate candidate;
    for (const TableId table : tables) {
      std::vector<VarId> order = program.table(table).scope;
      const size_t sliced =
          static_cast<size_t>(std::count_if(order.begin(), order.end(), [&program](VarId v) {
            return program.variables[v.index()].sliced;
          }));
      for (size_t i = order.size(); i > sliced + 1; --i)
        std::swap(order[i - 1], order[sliced + random_() % (i - sliced)]);
      candidate.emplace_back(table, std::move(order));
    }
    return {candidate};
  }
  double operationUs(const TableProgram &, const Operation &) override { return 1; }
  double moveUs(double elems) const override { return splits_.moveUs(elems); }
  std::optional<double> chainUs(const TableProgram &, TableId, std::span<const OpId>) override {
    return std::nullopt;
  }
  uint32_t bestSplits(const TableProgram &program, OpId id) override {
    return splits_.bestSplits(program, id);
  }
  double leastGainUs() const override { return 0.5; }

private:
  std::mt19937_64 random_;
  oracle::CutEverywhere splits_;
};

TEST(LayOutTables, ProgramsStaySound) {
  std::mt19937_64 random(29);
  size_t laidOut = 0;
  for (size_t i = 0; i < 400; ++i) {
    oracle::RandomModelOptions shape;
    shape.repeatedTables = i % 2 == 0 ? 3 : 0;
    const Model model = oracle::randomModel(random, shape);
    const Query query = oracle::randomQuery(random, model, static_cast<QueryKind>(i % 5));
    RandomCandidates times(i);
    Diagnostics diagnostics;
    PlanOptions options;
    options.finalTables = i % 2 == 0;
    options.deviceCosts = &times;
    TableProgram program =
        i % 3 == 0 ? oracle::randomlySliced(random, model, query, 2, {}, KeptMessages::None, &times)
                   : buildProgram(model, query, options, diagnostics);
    if (i % 3 == 0)
      passLayOutTables(program, times);
    ASSERT_EQ(verifyProgram(program).value_or(""), "") << printProgram(program);
    for (const ProgramTable &table : program.tables)
      laidOut += !table.layout.empty();
    for (const Operation &operation : program.operations) {
      const ProgramTable &first = program.table(operation.operands[0]);
      if (first.splits > 1) {
        EXPECT_EQ(first.layout, program.table(operation.result).layout) << printProgram(program);
      }
    }
  }
  EXPECT_GE(laidOut, 50u);
}

} // namespace
