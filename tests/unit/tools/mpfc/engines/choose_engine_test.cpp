// Which engines are planned, and which one is opened first.
#include "tools/mpfc/engines/choose_engine.h"

#include "dsl/support/error.h"

#include <gtest/gtest.h>

namespace mpf::driver {
namespace {

/// A list of so many rows; none: of any length.
struct Problem {
  explicit Problem(std::optional<uint64_t> rows) : asked{model, schema, query, options, rows, {}} {}

  const Model model;
  const CaseSchema schema;
  const Query query;
  const Options options;
  const CaseProblem asked;
};

AskedEngine engineOf(CaseEngineKind kind, double rowsPerSecond, uint64_t casesAtOnce) {
  AskedEngine engine;
  engine.kind = kind;
  engine.plan.emplace();
  engine.plan->speed = {rowsPerSecond, casesAtOnce};
  return engine;
}

std::vector<AskedEngine> threeEngines() {
  return {engineOf(CaseEngineKind::Lanes, 1e5, 33792), engineOf(CaseEngineKind::Tables, 7e4, 64),
          engineOf(CaseEngineKind::Single, 1e3, 1)};
}

TEST(OpeningOrder, LanesForManyCases) {
  EXPECT_EQ(openingOrder(Problem(1'000'000).asked, threeEngines()), (std::vector<size_t>{0, 1, 2}));
  EXPECT_EQ(openingOrder(Problem(std::nullopt).asked, threeEngines()),
            (std::vector<size_t>{1, 0, 2}))
      << "of 10,000 rows: 0.34 and 0.14 s";
}

TEST(OpeningOrder, FewCasesLeaveMostLanesEmpty) {
  EXPECT_EQ(openingOrder(Problem(64).asked, threeEngines()), (std::vector<size_t>{1, 0, 2}));
  EXPECT_EQ(openingOrder(Problem(1).asked, threeEngines()), (std::vector<size_t>{1, 0, 2}))
      << "a run of the second takes as long as one of the third, which is not clearly faster";
}

TEST(OpeningOrder, ALittleFasterIsNotEnough) {
  std::vector<AskedEngine> engines = threeEngines();
  engines[0].plan->speed = {5e4, 1};
  EXPECT_EQ(openingOrder(Problem(6400).asked, engines), (std::vector<size_t>{0, 1, 2}));
}

TEST(OpeningOrder, WhatIsNotAskedComesInItsPlace) {
  std::vector<AskedEngine> engines = threeEngines();
  engines[1].isAsked = false;
  EXPECT_EQ(openingOrder(Problem(64).asked, engines), (std::vector<size_t>{2, 0, 1}));
  engines[2].plan.reset();
  engines[2].refusal = std::make_exception_ptr(Error(ErrorKind::Unsupported, "no"));
  EXPECT_EQ(openingOrder(Problem(64).asked, engines), (std::vector<size_t>{0, 1, 2}));
}

} // namespace
} // namespace mpf::driver
