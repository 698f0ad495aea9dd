// The text form: every program reads back to the same program, broken text gets a placed message.
#include "codegen/plan/build_program.h"
#include "codegen/plan/program/print_program.h"
#include "codegen/plan/program/read_program.h"
#include "tests/oracle/models/random_models.h"

#include <gtest/gtest.h>

using namespace mpf;

namespace {

std::optional<TableProgram> read(const std::string &text, Diagnostics &diagnostics) {
  auto programs = readPrograms(std::make_shared<const SourceBuffer>("p.plan", text), diagnostics);
  if (!programs)
    return std::nullopt;
  EXPECT_EQ(programs->size(), 1u) << text;
  return std::move(programs->front().program);
}

std::string firstError(const std::string &text) {
  Diagnostics diagnostics;
  EXPECT_FALSE(read(text, diagnostics)) << text;
  return diagnostics.all().empty() ? "" : renderDiagnostic(diagnostics.all().front());
}

TEST(PlanText, RoundTrip) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 400; ++i) {
    Model model = oracle::randomModel(random, {});
    model.variables.front().name = "two words # \"quoted\"\nline";
    const auto kind = static_cast<QueryKind>(random() % 5);
    Query query = oracle::randomQuery(random, model, kind);
    query.name = i % 2 ? "P(x | y) = 1" : "";
    Diagnostics diagnostics;
    const TableProgram program = buildProgram(model, query, {}, diagnostics);
    const std::string text = printProgram(program);
    Diagnostics reading;
    const std::optional<TableProgram> again = read(text, reading);
    ASSERT_TRUE(again) << text << renderDiagnostics(reading);
    ASSERT_EQ(printProgram(*again), text);
    ASSERT_EQ(again->tables.size(), program.tables.size());
    for (size_t t = 0; t < program.tables.size(); ++t) {
      ASSERT_EQ(again->tables[t].name, program.tables[t].name);
      ASSERT_EQ(again->tables[t].scope, program.tables[t].scope);
      ASSERT_EQ(again->tables[t].sizeElems, program.tables[t].sizeElems);
      ASSERT_EQ(again->tables[t].factor, program.tables[t].factor);
      ASSERT_EQ(again->tables[t].fill, program.tables[t].fill);
      ASSERT_EQ(again->tables[t].producer, program.tables[t].producer);
    }
    for (size_t o = 0; o < program.operations.size(); ++o) {
      ASSERT_EQ(again->operations[o].cost.addressCount, program.operations[o].cost.addressCount);
      ASSERT_EQ(again->operations[o].cost.readElems, program.operations[o].cost.readElems);
      ASSERT_EQ(again->operations[o].cost.combineOps, program.operations[o].cost.combineOps);
    }
  }
}

constexpr const char *kHead = "plan q evidence\nvariable x extent=2\nvariable y extent=3\n";

TEST(PlanText, BrokenText) {
  const std::string head = kHead, tables = "order 1 0\ntable f factor=0 scope 1 0\n";
  const std::string op = "op sum-product tables 0 reduce 1 0\n";
  const std::string output = "output q table 1 scope\n";
  Diagnostics diagnostics;
  EXPECT_TRUE(read(head + tables + op + output, diagnostics)) << renderDiagnostics(diagnostics);

  const auto expectError = [](const std::string &text, const std::string &message) {
    EXPECT_NE(firstError(text).find(message), std::string::npos) << firstError(text);
  };
  expectError("", "expected a line 'plan NAME KIND'");
  expectError("plan q samples\n", "p.plan:1:8: error: no kind of query");
  expectError(head + "wish\n", "p.plan:4:1: error: expected plan, variable");
  expectError(head + tables + op + output + head + tables, "p.plan:8:1: error: a plan needs");
  expectError(head + "variable z extent=0\n", "at least 1 state");
  expectError(head + "variable z extent=2 observed=2\n", "observed=");
  expectError(head + "order 0 2\n", "variable is 2, the largest allowed is 1");
  expectError(head + "order 0 0\n", "names a variable twice");
  expectError(head + "order 1 0\norder 1 0\n", "one order");
  expectError(head + "order 1 0\nvariable z extent=2\n", "variables come before the order");
  expectError(head + "table f factor=0 scope 0\n", "tables come after the order");
  expectError(head + "order 1 0\ntable f factor=0 scope 0 1\n", "follows the global order");
  expectError(head + "order 1\ntable f factor=0 scope 0\n", "variable 0 is not in the order");
  expectError(head + "order 1 0\ntable f wish=0 scope 0\n",
              "expected factor=NUMBER, fill=VALUE or identity");
  expectError(head + "op sum-product tables 0\n", "operations come after the order");
  expectError(head + tables + "op sum-sum tables 0\n", "no semiring");
  expectError(head + tables + "op sum-product tables 1\n", "table is 1, the largest allowed is 0");
  expectError(head + tables + "op sum-product tables reduce 0\n", "0 tables, allowed are 1 to 8");
  expectError(head + tables + op, "at least one output");
  expectError(head + tables + op + "output q table 0 scope 0 1\n", "no result of an operation");
  expectError(head + tables + op + "output q table 1 scope 0\n", "no permutation");
  expectError(head + tables + op + output + "traceback 0 tables 0\n", "best queries only");
  // Well-formed, but it computes something else: x is summed before g is multiplied in.
  expectError(head + "order 1 0\ntable f factor=0 scope 1 0\ntable g factor=1 scope 0\n" +
                  "op sum-product tables 0 reduce 0\nop sum-product tables 2 1 reduce 1 0\n" +
                  "output q table 3 scope\n",
              "x is reduced without having each of its tables multiplied in once");
  expectError(head + "order 1 0\ntable f factor=0 scope 1 0\ntable g factor=1 scope\n" + op +
                  "output q table 2 scope\n",
              "not the product of every input");
}

} // namespace
