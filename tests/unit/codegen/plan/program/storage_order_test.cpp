// Tests how tables are stored: text and verifier agree, and senseless orders are refused.
#include "codegen/plan/program/storage_order.h"

#include "codegen/plan/build_program.h"
#include "codegen/plan/program/print_program.h"
#include "codegen/plan/program/read_program.h"
#include "codegen/plan/program/verify_program.h"
#include "tests/oracle/models/random_layouts.h"
#include "tests/oracle/models/random_models.h"
#include "tests/oracle/models/sliced_programs.h"

#include <functional>
#include <gtest/gtest.h>

using namespace mpf;

namespace {

constexpr const char *kText = "plan q evidence\n"
                              "variable x extent=2\nvariable y extent=3\nvariable z extent=5\n"
                              "order 0 1 2\n"
                              "table f factor=0 scope 0 1 2 layout 1 2 0\n"
                              "table g factor=1 scope 0 1 2 same 0\n"
                              "op sum-product tables 0 1 reduce 2 layout 1 0\n"
                              "op sum-product tables 2 reduce 0 1\n"
                              "output q table 3 scope\n";

std::optional<TableProgram> readPlan(const std::string &text, Diagnostics &diagnostics) {
  auto programs = readPrograms(std::make_shared<const SourceBuffer>("p.plan", text), diagnostics);
  return programs ? std::optional(std::move(programs->front().program)) : std::nullopt;
}

TableProgram laidOutProgram() {
  Diagnostics diagnostics;
  std::optional<TableProgram> given = readPlan(kText, diagnostics);
  EXPECT_TRUE(given) << renderDiagnostics(diagnostics);
  return *given;
}

std::string errorOf(std::string text, const std::string &from, const std::string &to) {
  text.replace(text.find(from), from.size(), to);
  Diagnostics diagnostics;
  EXPECT_FALSE(readPlan(text, diagnostics)) << text;
  return diagnostics.all().empty() ? "" : renderDiagnostic(diagnostics.all().front());
}

std::vector<VarId> variables(const std::vector<uint32_t> &ids) {
  std::vector<VarId> list;
  for (const uint32_t id : ids)
    list.emplace_back(size_t{id});
  return list;
}

TEST(StorageOrder, TextSaysItAndSharedTablesFollow) {
  const TableProgram given = laidOutProgram();
  EXPECT_EQ(storageOrder(given, TableId{0}), variables({1, 2, 0}));
  EXPECT_EQ(storageOrder(given, TableId{1}), variables({1, 2, 0}));
  EXPECT_EQ(storageOrder(given, TableId{2}), variables({1, 0}));
  EXPECT_EQ(storageOrder(given, TableId{3}), variables({}));
  const std::string text = printProgram(given);
  EXPECT_NE(text.find("scope 0 1 2 layout 1 2 0\n"), std::string::npos) << text;
  EXPECT_NE(text.find("reduce 2 layout 1 0   # m0(x, y) = "), std::string::npos) << text;
  EXPECT_NE(text.find(", stored as (y, x)"), std::string::npos) << text;
  Diagnostics diagnostics;
  EXPECT_EQ(
      printProgram(mpf::readPrograms(std::make_shared<const SourceBuffer>("p", text), diagnostics)
                       ->front()
                       .program),
      text);
}

TEST(StorageOrder, TheScopesOwnOrderIsNone) {
  TableProgram changed = laidOutProgram();
  EXPECT_TRUE(setStorageOrder(changed.tables[0], variables({0, 1, 2})));
  EXPECT_TRUE(changed.tables[0].layout.empty());
  EXPECT_FALSE(setStorageOrder(changed.tables[0], variables({0, 2})));
  EXPECT_FALSE(setStorageOrder(changed.tables[0], variables({0, 2, 2})));
}

TEST(StorageOrder, WhatIsNoPermutationIsRefused) {
  constexpr const char *kWhat = "a layout is a permutation of the table's scope";
  EXPECT_NE(errorOf(kText, "layout 1 2 0", "layout 1 2").find(kWhat), std::string::npos);
  EXPECT_NE(errorOf(kText, "layout 1 2 0", "layout 1 2 2").find(kWhat), std::string::npos);
  EXPECT_NE(errorOf(kText, "layout 1 0", "layout 1 2").find(kWhat), std::string::npos);
  EXPECT_NE(errorOf(kText, "layout 1 0", "layout 1 9").find("variable"), std::string::npos);
  EXPECT_NE(errorOf(kText, "same 0", "layout 1 2 0 same 0").find("no entries of its own"),
            std::string::npos);
}

TEST(StorageOrder, TheVerifierSeesWrongLayouts) {
  const auto fault = [](const std::function<void(TableProgram &)> &change) {
    TableProgram changed = laidOutProgram();
    change(changed);
    return verifyProgram(changed).value_or("");
  };
  EXPECT_EQ(fault([](TableProgram &) {}), "");
  const auto refused = [&](const std::string &why, const auto &change) {
    EXPECT_NE(fault(change).find(why), std::string::npos) << fault(change);
  };
  const std::string noPermutation = "its layout is no permutation of its scope";
  refused(noPermutation, [](TableProgram &p) { p.tables[0].layout = {0, 2}; });
  refused(noPermutation, [](TableProgram &p) { p.tables[0].layout = {0, 2, 3}; });
  refused(noPermutation, [](TableProgram &p) { p.tables[0].layout = {2, 2, 0}; });
  refused("has a layout, but no entries of its own", [](TableProgram &p) {
    p.tables[1].layout = {1, 2, 0};
  });
}

/// A sliced program in which `pick` finds a table to spoil.
std::string faultOfSliced(const std::function<bool(TableProgram &)> &spoil) {
  std::mt19937_64 random(3);
  oracle::RandomModelOptions shape;
  shape.maxExtent = 4;
  for (int i = 0; i < 200; ++i) {
    const Model model = oracle::randomModel(random, shape);
    const Query query = oracle::randomQuery(random, model, QueryKind::Joint);
    TableProgram sliced = oracle::randomlySliced(random, model, query, 1);
    if (spoil(sliced))
      return verifyProgram(sliced).value_or("");
  }
  return "no program to spoil";
}

TEST(StorageOrder, SlicesStayInOnePiece) {
  const std::string fault = faultOfSliced([](TableProgram &program) {
    for (ProgramTable &table : program.tables)
      if (table.factor.valid() && !table.sameAs.valid() && table.scope.size() > 1 &&
          program.variables[table.scope[0].index()].sliced) {
        std::vector<VarId> order(table.scope.rbegin(), table.scope.rend());
        return setStorageOrder(table, order);
      }
    return false;
  });
  EXPECT_NE(fault.find("is scattered in its layout"), std::string::npos) << fault;
}

TEST(StorageOrder, SumsOverLoopsKeepTheLayoutOfTheirTerms) {
  const std::string fault = faultOfSliced([](TableProgram &program) {
    for (const Operation &operation : program.operations) {
      ProgramTable &result = program.tables[operation.result.index()];
      if (operation.reduced.size() == 1 && result.scope.size() > 1 &&
          program.variables[operation.reduced[0].index()].sliced) {
        std::vector<VarId> order(result.scope.rbegin(), result.scope.rend());
        return setStorageOrder(result, order);
      }
    }
    return false;
  });
  EXPECT_NE(fault.find("accumulates a table of another layout"), std::string::npos) << fault;
}

TEST(StorageOrder, RandomOrdersReadBack) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 100; ++i) {
    const Model model = oracle::randomModel(random, {});
    const Query query = oracle::randomQuery(random, model, static_cast<QueryKind>(random() % 5));
    Diagnostics diagnostics;
    TableProgram laidOut = i % 2 ? oracle::randomlySliced(random, model, query, 2)
                                 : buildProgram(model, query, {}, diagnostics);
    oracle::layOutRandomly(random, laidOut);
    const std::optional<TableProgram> again = readPlan(printProgram(laidOut), diagnostics);
    ASSERT_TRUE(again) << renderDiagnostics(diagnostics) << printProgram(laidOut);
    for (size_t t = 0; t < laidOut.tables.size(); ++t)
      EXPECT_EQ(again->tables[t].layout, laidOut.tables[t].layout) << printProgram(laidOut);
  }
}

} // namespace
