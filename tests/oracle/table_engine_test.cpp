// Tests that tables over a case variable answer every kind of query that lanes answer: numbers,
// joint posteriors, all marginals and best assignments. Each case has the answer by the definition.
#include "runtime/engine/enumerate/enumerate_engine.h"
#include "runtime/engine/single/single_engine.h"
#include "runtime/engine/tables/table_engine.h"
#include "tests/oracle/table_engine_trials.h"
#include "tests/support/trials.h"

#include <gtest/gtest.h>

namespace mpf::oracle {
namespace {

class TableEngines : public testing::TestWithParam<EngineRun> {
protected:
  void judge(int seed, const LaneTrialOptions &options, int models) {
    std::mt19937_64 random(static_cast<uint64_t>(seed));
    counts_ = judgeEngine(GetParam(), random, options, models);
    EXPECT_GT(counts_.cases, static_cast<size_t>(models));
    EXPECT_LT(counts_.unsupported, static_cast<size_t>(models) / 4);
    EXPECT_GT(counts_.impossible, 0u);
  }
  EngineCounts counts_;
};

TEST_P(TableEngines, AnswerAsTheDefinition) {
  judge(3, {}, trials(1000));
  EXPECT_GT(counts_.observed, 100u) << "posteriors of observed variables";
}

TEST_P(TableEngines, CasesGiveTables) { judge(5, {.givesTables = true}, trials(500)); }

TEST_P(TableEngines, CasesSetParams) { judge(7, {.setsParams = true}, trials(500)); }

/// Entries and weights are too far apart for a table of numbers: runs take logarithms.
TEST_P(TableEngines, FarApartEntriesLoseNothing) {
  if (GetParam().type == ElementType::F64)
    judge(9, {.leastExponent = -200, .weightExponent = 300}, trials(500));
}

INSTANTIATE_TEST_SUITE_P(
    All, TableEngines,
    testing::Values(EngineRun{"Tables", planTableEngine}, EngineRun{"Enumeration", planEnumeration},
                    EngineRun{"TablesF32", planTableEngine, "cpu", ElementType::F32},
                    EngineRun{"TablesLog", planTableEngine, "cpu", ElementType::F64, true},
                    EngineRun{"TablesLogF32", planTableEngine, "cpu", ElementType::F32, true}),
    [](const auto &run) { return std::string(run.param.name); });

} // namespace
} // namespace mpf::oracle
