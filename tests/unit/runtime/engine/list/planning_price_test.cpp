// The price of planning an engine, and the engine that is planned first.
#include "runtime/engine/list/planning_price.h"

#include "codegen/plan/program/planning_budget.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

/// A query for all marginals of a model of `factors` factors, for a list of `listRows` rows.
struct Asked {
  Asked(size_t factors, std::optional<uint64_t> listRows) : rows(listRows) {
    model.factors.resize(factors);
    query.kind = QueryKind::Marginals;
  }
  CaseProblem problem(const std::optional<Target> &gpu = {}) const {
    return {model, schema, query, {}, rows, gpu};
  }

  Model model;
  CaseSchema schema;
  Query query;
  std::optional<uint64_t> rows;
};

TEST(PlanningPrice, GrowsWithTheModel) {
  const Asked small(20, 1), large(400, 1);
  for (const AnswerForm form : {AnswerForm::Lanes, AnswerForm::Tables, AnswerForm::SingleRuns})
    EXPECT_LT(3 * planningPriceUs(small.problem(), form, false),
              planningPriceUs(large.problem(), form, false));
  EXPECT_LT(planningPriceUs(large.problem(), AnswerForm::Tables, false),
            planningPriceUs(large.problem(), AnswerForm::Lanes, false));
}

/// Tables of diabetes, 413 factors, take 40 ms to plan, which does not pay over a list that takes
/// lanes 46 ms.
TEST(PlanningPrice, IsPaidWhereAListTakesLonger) {
  const Asked diabetes(413, 1000);
  const double priceUs = planningPriceUs(diabetes.problem(), AnswerForm::Tables, false);
  EXPECT_FALSE(questionPays(priceUs, 46e3, 1));
  EXPECT_TRUE(questionPays(priceUs, 100e3, 1));
  const Asked child(20, 1000);
  EXPECT_TRUE(questionPays(planningPriceUs(child.problem(), AnswerForm::Tables, false), 46e3, 1));
}

TEST(AsksTablesFirst, OfFewCasesByALargeModel) {
  EXPECT_TRUE(plansTablesFirst(Asked(400, 1).problem()));
  EXPECT_TRUE(plansTablesFirst(Asked(400, 16).problem()));
  EXPECT_FALSE(plansTablesFirst(Asked(400, 64).problem())) << "strips are full";
  EXPECT_TRUE(plansTablesFirst(Asked(400, 64).problem(targetNamed("sm_90"))));
  EXPECT_FALSE(plansTablesFirst(Asked(400, 1000).problem(targetNamed("sm_90"))));
  EXPECT_FALSE(plansTablesFirst(Asked(40, 1).problem())) << "lanes are planned in no time";
  EXPECT_FALSE(plansTablesFirst(Asked(40, 0).problem())) << "nor are there cases";
  const Asked large(400, 1);
  CaseProblem planned = large.problem();
  planned.settings.lanes = {DeviceKind::Cpu, {}, {}};
  EXPECT_FALSE(plansTablesFirst(planned)) << "lanes are planned already";
  planned.gpu = targetNamed("sm_90");
  EXPECT_TRUE(plansTablesFirst(planned)) << "not for this device";
  EXPECT_FALSE(plansTablesFirst(Asked(400, std::nullopt).problem())) << "who knows how many";
}

TEST(AsksTablesFirst, OfAShortSweepOfALargeModel) {
  const auto sweep = [](size_t factors, std::optional<uint64_t> rows) {
    Asked asked(factors, rows);
    asked.schema.tables.resize(1);
    return asked;
  };
  EXPECT_TRUE(plansTablesFirst(sweep(4000, 256).problem()));
  EXPECT_FALSE(plansTablesFirst(sweep(4000, 257).problem()));
  EXPECT_FALSE(plansTablesFirst(sweep(400, 64).problem())) << "lanes are planned soon";
  EXPECT_FALSE(plansTablesFirst(sweep(4000, 100'000).problem())) << "a long search for an order";
  EXPECT_FALSE(plansTablesFirst(sweep(4000, std::nullopt).problem())) << "who knows how many";
}

} // namespace
} // namespace mpf
