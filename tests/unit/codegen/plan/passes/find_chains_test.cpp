// Tests which runs of operations become chains. Answers and memory stay right, and marks that are
// no chains are refused.
#include "codegen/plan/build_program.h"
#include "codegen/plan/initial/initial_program.h"
#include "codegen/plan/order/choose_order.h"
#include "codegen/plan/passes/plan_pipeline.h"
#include "codegen/plan/program/device_costs.h"
#include "codegen/plan/program/print_program.h"
#include "codegen/plan/program/program_memory.h"
#include "codegen/plan/program/read_program.h"
#include "codegen/plan/program/verify_program.h"
#include "tests/oracle/brute/evaluate_program.h"
#include "tests/oracle/brute/model_brute_force.h"
#include "tests/oracle/models/sliced_programs.h"
#include "tests/oracle/models/sweep_models.h"

#include <functional>
#include <gtest/gtest.h>

using namespace mpf;

namespace {

/// An operation takes 10, a chain of up to `longest` takes 11.
class FlatTimes final : public DeviceCosts {
public:
  explicit FlatTimes(size_t longest = 4, double leastGainUs = 0)
      : longest_(longest), leastGainUs_(leastGainUs) {}

  double operationUs(const TableProgram &program, const Operation &operation) override {
    return program.runs(operation) ? 10 : 0;
  }
  double moveUs(double) const override { return 11; }
  std::optional<double> chainUs(const TableProgram &, TableId,
                                std::span<const OpId> operations) override {
    return operations.size() <= longest_ ? std::optional(11.0) : std::nullopt;
  }
  double leastGainUs() const override { return leastGainUs_; }

private:
  size_t longest_;
  double leastGainUs_;
};

TableProgram planned(const Model &model, PlanOptions options, const PlanHooks &hooks = {}) {
  Diagnostics diagnostics;
  return buildProgram(model, model.queries.front(), options, diagnostics, hooks);
}

TableProgram chained(const Model &model, DeviceCosts &times) {
  PlanOptions options;
  options.deviceCosts = &times;
  return planned(model, options);
}

size_t operationsInChains(const TableProgram &program) {
  size_t count = 0;
  for (const ProgramChain &chain : program.chains)
    count += chain.count;
  return count;
}

/// Expects that no byte of a chain's result belongs to a table that the chain reads.
void expectApart(const TableProgram &program) {
  const MemoryPlan memory = planMemory(program, ElementType::F64);
  const auto end = [&](TableId id) {
    return memory.offsetBytes[id.index()] + program.table(id).sizeElems * 8;
  };
  for (const ProgramChain &chain : program.chains) {
    const TableId result = program.operation(chain.operation(chain.count - 1)).result;
    for (uint32_t step = 0; step < chain.count; ++step)
      for (const TableId id : program.operation(chain.operation(step)).operands) {
        const OpId producer = program.table(id).producer;
        if (!producer.valid() || producer >= chain.first)
          continue;
        EXPECT_TRUE(end(id) <= memory.offsetBytes[result.index()] ||
                    end(result) <= memory.offsetBytes[id.index()])
            << program.table(id).name << " and " << program.table(result).name;
      }
  }
}

TEST(FindChains, SweepsAreCutWhereItPaysMost) {
  std::mt19937_64 random(1);
  const Model model = oracle::sweepModel(random, {});
  FlatTimes times;
  const TableProgram program = chained(model, times);
  ASSERT_GE(program.chains.size(), 2u);
  EXPECT_GE(operationsInChains(program), 6u);
  for (const ProgramChain &chain : program.chains)
    EXPECT_LE(chain.count, 4u);
  expectApart(program);
  EXPECT_TRUE(planned(model, {}).chains.empty());
  PlanOptions options;
  options.deviceCosts = &times;
  EXPECT_TRUE(planned(model, options, {{"find-chains"}, false, {}, {}}).chains.empty());
  FlatTimes dear(4, 30); // four operations of 10 as one of 11 save 29
  EXPECT_TRUE(chained(model, dear).chains.empty());
}

/// Costs alone do not switch the passes on that take memory: the input decides.
TEST(FindChains, AreLookedForWhereTheInputSaysSo) {
  std::mt19937_64 random(1);
  const Model model = oracle::sweepModel(random, {});
  Diagnostics diagnostics;
  const TableProgram initial = initialProgram(model, model.queries.front(), diagnostics);
  const OrderChoice order = chooseOrders(model, initial, {}, diagnostics).choices.front();
  const InputContents contents(model, false);
  FlatTimes times;
  PassInput input{order, contents, KeptMessages::None, &times};
  EXPECT_FALSE(runPlanPasses(initial, input, {}).chains.empty());
  input.changesForGpu = false;
  EXPECT_TRUE(runPlanPasses(initial, input, {}).chains.empty());
  input.changesForGpu = true;
  input.costs = nullptr;
  EXPECT_TRUE(runPlanPasses(initial, input, {}).chains.empty());
}

TEST(FindChains, AnswersStayWhatTheyAre) {
  std::mt19937_64 random(7);
  FlatTimes times;
  size_t found = 0;
  for (int i = 0; i < 40; ++i) {
    oracle::SweepModelOptions shape;
    shape.rows = 5 + random() % 2;
    shape.maxExtent = 2 + random() % 2;
    shape.columns = 2;
    const Model model = oracle::sweepModel(random, shape);
    const TableProgram program = chained(model, times);
    const auto problem = verifyProgram(program);
    ASSERT_FALSE(problem) << *problem;
    found += program.chains.size();
    expectApart(program);
    const long double expected =
        oracle::bruteForce(model, model.queries.front()).tables.at("evidence").values[0];
    const auto answer = oracle::evaluateProgram(model, program).outputs;
    ASSERT_EQ(answer.size(), 1u);
    EXPECT_NEAR(static_cast<double>(answer.begin()->second[0] / expected), 1, 1e-12);
  }
  EXPECT_GE(found, 40u);
}

TEST(FindChains, TextReadsBack) {
  std::mt19937_64 random(3);
  FlatTimes times;
  const TableProgram program = chained(oracle::sweepModel(random, {}), times);
  const std::string text = printProgram(program);
  Diagnostics diagnostics;
  const auto read = readPrograms(std::make_shared<const SourceBuffer>("plan", text), diagnostics);
  ASSERT_TRUE(read) << renderDiagnostics(diagnostics);
  EXPECT_EQ(printProgram(read->front().program), text);
  EXPECT_EQ(read->front().program.chains.size(), program.chains.size());
}

/// Messages that outlast a run, or that a traceback or a downward pass reads again, are in no
/// chain.
TEST(FindChains, MessagesWithAnotherReaderAreLeftAlone) {
  std::mt19937_64 random(5);
  Model model = oracle::sweepModel(random, {});
  FlatTimes times;
  PlanOptions options;
  options.deviceCosts = &times;
  options.keep = KeptMessages::All;
  model.evidence.add({{VarId{size_t{0}}, 1}}); // something may change
  EXPECT_TRUE(planned(model, options).chains.empty());
  options.keep = KeptMessages::None;
  EXPECT_FALSE(planned(model, options).chains.empty());
  model.queries = {shortQuery(model, QueryKind::Mpe)};
  EXPECT_TRUE(planned(model, options).chains.empty());
}

TEST(FindChains, SlicesKeepChainsInsideTheirLoop) {
  std::mt19937_64 random(11);
  FlatTimes times;
  size_t found = 0;
  for (int i = 0; i < 60; ++i) {
    oracle::SweepModelOptions shape;
    shape.rows = 6;
    shape.columns = 2 + random() % 2;
    const Model model = oracle::sweepModel(random, shape);
    const TableProgram program = oracle::randomlySliced(
        random, model, model.queries.front(), 1 + random() % 2, {}, KeptMessages::None, &times);
    const auto problem = verifyProgram(program);
    ASSERT_FALSE(problem) << *problem;
    found += program.chains.size();
    expectApart(program);
  }
  EXPECT_GE(found, 30u);
}

/// The result of a chain beside its message takes more memory than two messages in turn.
TEST(FindChains, ABoundGoesBeforeChains) {
  std::mt19937_64 random(13);
  const Model model = oracle::sweepModel(random, {8, 4, 2});
  FlatTimes times(2);
  PlanOptions options;
  const uint64_t single = planMemory(planned(model, options), ElementType::F64).peakBytes;
  options.deviceCosts = &times;
  const TableProgram free = planned(model, options);
  ASSERT_GT(planMemory(free, ElementType::F64).peakBytes, single);
  options.maxMemoryBytes = single;
  const TableProgram bounded = planned(model, options);
  EXPECT_TRUE(bounded.chains.empty());
  EXPECT_EQ(planMemory(bounded, ElementType::F64).peakBytes, single);
}

TEST(FindChains, MarksThatAreNoChainsAreRefused) {
  std::mt19937_64 random(1);
  FlatTimes times;
  const TableProgram program = chained(oracle::sweepModel(random, {}), times);
  ASSERT_GE(program.chains.size(), 2u);
  const auto fault = [&](const std::function<void(ProgramChain &)> &change) {
    TableProgram changed = program;
    change(changed.chains.front());
    return verifyProgram(changed).value_or("");
  };
  const auto contains = [](const std::string &text, const std::string &part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(contains(fault([](ProgramChain &c) { c.count = 1; }), "2 to 24"));
  EXPECT_TRUE(contains(fault([](ProgramChain &c) { c.count = 24; }), "operations"));
  EXPECT_TRUE(contains(fault([](ProgramChain &c) { c.message = TableId{size_t{9999}}; }), "9999"));
  EXPECT_TRUE(
      contains(fault([](ProgramChain &c) { c.message = TableId{size_t{0}}; }), "message 0"));
  EXPECT_TRUE(
      contains(fault([](ProgramChain &c) { c.first = OpId{c.first.index() + 1}; }), "message"));
  EXPECT_TRUE(contains(fault([&](ProgramChain &c) { c = program.chains[1]; }), "another chain"));
}

} // namespace
