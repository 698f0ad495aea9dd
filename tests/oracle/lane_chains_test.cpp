// Tests chains of two-state variables whose transitions differ from case to case, like
// recombination in pedigrees. Strips multiply by several of their tables in one pass
// (strip_butterfly.h). Every case has the answer of its single run.
#include "codegen/pipeline/pipeline.h"
#include "runtime/execute/lanes/case_runner.h"
#include "runtime/execute/lanes/strip_butterfly.h"
#include "tests/oracle/lane_trials.h"
#include "tests/oracle/models/random_cases.h"
#include "tests/support/trials.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace mpf::oracle {
namespace {

struct ChainRun {
  const char *name;
  ElementType type;
  int weightExponent; ///< of LaneTrialOptions
};

/// Places with some variables each: a table over all variables of a place, and transitions between
/// neighbours. Some transitions depend on a further variable, or have three states.
class ChainTrial {
public:
  explicit ChainTrial(std::mt19937_64 &random) : random_(random) {
    const size_t places = 2 + random_() % 3, width = 3 + random_() % 2;
    for (size_t p = 0; p < places; ++p)
      for (size_t i = 0; i < width; ++i)
        trial.model.variables.push_back(
            {fmt::format("x{}_{}", p, i), random_() % 16 == 0 ? 3u : 2u, {}});
    const auto variable = [width](size_t place, size_t i) { return VarId{place * width + i}; };
    for (size_t p = 0; p < places; ++p) {
      std::vector<VarId> all;
      for (size_t i = 0; i < width; ++i)
        all.push_back(variable(p, i));
      addFactor(all);
      for (size_t i = 0; p > 0 && i < width; ++i) {
        std::vector<VarId> scope{variable(p - 1, i), variable(p, i)};
        if (random_() % 6 == 0)
          scope.push_back(variable(p, (i + 1) % width));
        addVaryingFactor(scope);
      }
    }
    constexpr QueryKind kKinds[] = {QueryKind::Evidence, QueryKind::Evidence, QueryKind::Mpe,
                                    QueryKind::Marginals};
    trial.query = randomQuery(random_, trial.model, kKinds[random_() % 4]);
    trial.block = randomBlock(random_, trial.schema);
  }

  LaneTrial trial{{}, {}, {}, CaseBlock({}, 1), false, {}};

private:
  FactorId addFactor(const std::vector<VarId> &scope) {
    auto values = std::make_shared<std::vector<double>>(scopeElems(trial.model, scope));
    for (double &value : *values)
      value = random_() % 4 == 0 ? 0 : unit(random_);
    const FactorId id{trial.model.factors.size()};
    const std::string name = fmt::format("f{}", id.index());
    trial.model.factors.push_back({name, name, scope, std::move(values)});
    return id;
  }

  /// Adds a transition; transitions of equal extents may have one table.
  void addVaryingFactor(const std::vector<VarId> &scope) {
    const FactorId id = addFactor(scope);
    const uint64_t elems = scopeElems(trial.model, scope);
    for (VaryingTable &table : trial.schema.tables)
      if (elems == 4 && table.sizeElems == elems && random_() % 3 == 0) {
        table.factors.push_back(id);
        return;
      }
    trial.schema.tables.push_back({{id}, elems, true});
  }

  std::mt19937_64 &random_;
};

class LaneChains : public testing::TestWithParam<ChainRun> {};

TEST_P(LaneChains, EveryCaseHasTheAnswerOfItsSingleRun) {
  const ChainRun run = GetParam();
  std::mt19937_64 random(71);
  LaneJudge judge{run.type == ElementType::F32 ? 1e-5 : 1e-12};
  size_t pairs = 0, triples = 0, left = 0;
  const int models = trials(40);
  for (int i = 0; i < models && !HasFatalFailure(); ++i) {
    SCOPED_TRACE(fmt::format("model {}", i));
    LaneTrial trial = ChainTrial(random).trial;
    if (run.weightExponent != 0)
      spreadWeights(random, trial.block, run.weightExponent);
    const LaneProgram program = planTrial(trial, run.type).program;
    const LinearPlan plan = planLinear(program, CommonTables(program), run.type);
    for (const Butterfly &found : findButterflies(program, plan))
      ++(found.steps.size() == 2 ? pairs : triples);
    CaseRunner runner(program, {2});
    CaseAnswers answers;
    runner.run(trial.block, answers);
    left += runner.counts().inF64 + runner.counts().wide;
    judge.compare(trial.model, trial.query, trial.schema, trial.block, answers);
  }
  if (models == 40) { // among fewer there may be none
    EXPECT_GT(pairs, 4u);
    if (run.type == ElementType::F64) { // F32 rescales after two products
      EXPECT_GT(triples, 1u);
    }
  }
  EXPECT_EQ(left > 0, run.weightExponent < -500);
}

INSTANTIATE_TEST_SUITE_P(Runs, LaneChains,
                         testing::Values(ChainRun{"F64", ElementType::F64, 0},
                                         ChainRun{"F32", ElementType::F32, 0},
                                         ChainRun{"F64Spread", ElementType::F64, -100},
                                         ChainRun{"F64Far", ElementType::F64, -1000}),
                         [](const auto &run) { return std::string(run.param.name); });

} // namespace
} // namespace mpf::oracle
