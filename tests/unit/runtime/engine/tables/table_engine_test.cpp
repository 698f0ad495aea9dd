// The cases that one run of the tables answers, and the messages that it keeps for the next.
#include "runtime/engine/tables/table_engine.h"

#include "tests/unit/codegen/plan/small_models.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

/// 64 cases that observe the diagonal of a grid. Their messages take megabytes, and most of them
/// depend on the case by any plan.
struct ListOfDiagonals {
  static constexpr size_t kSide = 14;
  Model model = test::grid(kSide, kSide);
  CaseSchema schema;
  CaseSettings settings;

  ListOfDiagonals() {
    for (size_t i = 0; i < kSide; ++i) {
      const VarId id{i * (kSide + 1)};
      schema.observed.push_back({id, model.variable(id).extent});
    }
    settings.compile.devices = DeviceRequest::cpu();
    settings.compile.purpose = Purpose::OneRun;
    settings.compile.planRounds = 0;
    settings.session.threads = 2; // they share the first touch of pages
    settings.mayBind = true;
  }

  CaseTables tables(const MemoryPrice &price) const {
    CaseProblem problem{model, schema, model.queries.front(), settings, 64, {}};
    problem.speed.cpu.memory = price;
    return compileCaseTables(problem);
  }
};

bool keepsMessages(const CaseTables &tables) { return tables.options.keep != KeptMessages::None; }

TEST(CaseTables, OneRunKeepsNothingForALaterOne) {
  ListOfDiagonals list;
  const CaseTables once = list.tables({});
  EXPECT_EQ(once.runCases, 64u);
  EXPECT_FALSE(keepsMessages(once));
  list.settings.compile.purpose = Purpose::Sessions; // a host may answer other lists
  EXPECT_TRUE(keepsMessages(list.tables({})));
}

TEST(CaseTables, ExpensivePagesAreUsedAgainByRunsOfFewerCases) {
  ListOfDiagonals list;
  list.settings.compile.keep = KeptMessages::None; // or the plan decides how much
  const MemoryPrice cheap{1, 1, 0}, expensive{1e6, 1e4, 0};
  const CaseTables all = list.tables(cheap), fewer = list.tables(expensive);
  EXPECT_EQ(all.runCases, 64u);
  EXPECT_EQ(fewer.runCases, 4u);
}

} // namespace
} // namespace mpf
