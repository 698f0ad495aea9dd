// The cases that one run of the tables answers, and the messages that it keeps for the next.
#include "runtime/engine/tables/table_engine.h"

#include "tests/unit/codegen/plan/small_models.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

/// 64 cases that observe a corner of a grid, whose messages of all cases take megabytes.
struct ListOfCorners {
  Model model = test::grid(14, 14);
  CaseSchema schema{{{VarId{0}, model.variable(VarId{0}).extent}}, {}, {}};
  CaseSettings settings;

  ListOfCorners() {
    settings.compile.devices = DeviceRequest::cpu();
    settings.compile.purpose = Purpose::OneRun;
    settings.compile.planRounds = 0;
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
  ListOfCorners list;
  const CaseTables once = list.tables({});
  EXPECT_EQ(once.runCases, 64u);
  EXPECT_FALSE(keepsMessages(once));
  list.settings.compile.purpose = Purpose::Sessions; // a host may answer other lists
  EXPECT_TRUE(keepsMessages(list.tables({})));
}

TEST(CaseTables, ExpensivePagesAreUsedAgainByRunsOfFewerCases) {
  const ListOfCorners list;
  const MemoryPrice cheap{1, 1, 0}, expensive{1e6, 1e4, 0};
  const CaseTables all = list.tables(cheap), fewer = list.tables(expensive);
  EXPECT_EQ(all.runCases, 64u);
  EXPECT_EQ(fewer.runCases, 4u);
  EXPECT_LT(fewer.bundle.workArenaBytes, all.bundle.workArenaBytes);
  EXPECT_TRUE(keepsMessages(fewer));
}

} // namespace
} // namespace mpf
