// The text form: every program reads back to the same program, broken text gets a placed message.
// tests/oracle/lanes_test.cpp runs programs that were read from their texts.
#include "codegen/bundle/lanes/print_lane_program.h"
#include "codegen/bundle/lanes/read_lane_program.h"
#include "tests/unit/codegen/lanes/lane_programs.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

std::optional<LaneProgram> readLanes(const std::string &text, Diagnostics &diagnostics,
                                     const StoredEntries &stored = {}) {
  auto programs =
      readLanePrograms(std::make_shared<const SourceBuffer>("q.lanes", text), diagnostics, stored);
  if (!programs)
    return std::nullopt;
  EXPECT_EQ(programs->size(), 1u) << text;
  return std::move(programs->front().program);
}

TEST(LaneProgramText, IsReadAsItWasPrinted) {
  for (const QueryKind kind : {QueryKind::Evidence, QueryKind::Marginals, QueryKind::Mpe}) {
    LaneProgram program = test::smallLaneProgram(kind);
    program.name = kind == QueryKind::Mpe ? "" : "P(x | y) = 1";
    program.variables[0].name = "two words # \"quoted\"\nline";
    program.variables[0].labels = {"labels", "fixed=1"};
    program.values[0].factor = "f g=\"1\"";
    program.schema.params = {"theta"};
    program.schema.tables = {{{}, 4, true}, {{}, 2, kind == QueryKind::Mpe}};
    program.tables.push_back({"unused", LaneTableKind::Weights, 4, 0, 1});
    const std::string text = printLaneProgram(program);
    Diagnostics diagnostics;
    const std::optional<LaneProgram> again = readLanes(text, diagnostics);
    ASSERT_TRUE(again) << text << renderDiagnostics(diagnostics);
    EXPECT_EQ(printLaneProgram(*again), text);
    EXPECT_EQ(again->variables[0].name, program.variables[0].name);
    EXPECT_EQ(again->variables[0].labels, program.variables[0].labels);
    EXPECT_EQ(again->values[0].factor, program.values[0].factor);
    EXPECT_EQ(again->evidence.states, program.evidence.states);
    EXPECT_EQ(again->laneElems, program.laneElems);
    EXPECT_EQ(again->schema.tables[0].sizeElems, 4u);
    EXPECT_TRUE(again->schema.tables[0].nonNegative);
    EXPECT_EQ(*again->values[0].values, *program.values[0].values);
  }
}

/// P(y | x) = [[1 - t, t], [t, 1 - t]], and a factor that may be negative.
LaneProgram withFormulas() {
  const Instruction one{OpCode::Constant, 0, 1}, t{OpCode::Param, 1, 0},
      less{OpCode::Subtract, 0, 0};
  TableFormula rows;
  rows.extents = {2, 2};
  rows.values = std::make_shared<const std::vector<double>>(std::vector{0.75, 0.25, 0.25, 0.75});
  rows.parts = {{0, 1, {{one, t, less}}}, {1, 3, {{t}}}, {3, 4, {{one, t, less}}}};
  TableFormula other;
  other.extents = {2};
  other.values = std::make_shared<const std::vector<double>>(std::vector{0.25, -3.0});
  other.parts = {{0, 1, {{{OpCode::State, 0, 0}, t, {OpCode::Add, 0, 0}}}}};
  LaneProgram program = test::smallLaneProgram(QueryKind::Evidence);
  program.schema.params = {"t"};
  program.schema.tables = {{{}, 3, true}, {{}, 4, true}, {{}, 2, false}};
  program.formulas.params = {{"u", 2}, {"t", 0.25, {0.25, 0.5, 1}}, {"d", 4.5}};
  program.formulas.params[2].derivation = {
      {{OpCode::Param, 0, 0}, {OpCode::Param, 1, 0}, {OpCode::Multiply, 0, 0}}};
  program.formulas.tables = {{"P(y | x)", {}, std::make_shared<const TableFormula>(rows), 2, true},
                             {"f g", {}, std::make_shared<const TableFormula>(other), 0, false}};
  return program;
}

TEST(LaneProgramText, HasTheFormulasOfTables) {
  const LaneProgram program = withFormulas();
  const std::string text = printLaneProgram(program);
  Diagnostics diagnostics;
  const std::optional<LaneProgram> again = readLanes(text, diagnostics);
  ASSERT_TRUE(again) << text << renderDiagnostics(diagnostics);
  EXPECT_EQ(printLaneProgram(*again), text);
  EXPECT_EQ(again->formulas.params[1].swept, (std::vector<double>{0.25, 0.5, 1}));
  EXPECT_TRUE(again->formulas.params[0].swept.empty());
  EXPECT_TRUE(again->formulas.params[0].derivation.code.empty());
  EXPECT_EQ(again->formulas.params[2].derivation, program.formulas.params[2].derivation);
  ASSERT_EQ(again->formulas.tables.size(), 2u);
  for (size_t f = 0; f < 2; ++f) {
    const CaseFormula &before = program.formulas.tables[f], &after = again->formulas.tables[f];
    EXPECT_EQ(after.formula->parts, before.formula->parts);
    EXPECT_EQ(*after.formula->values, *before.formula->values);
    EXPECT_EQ(after.rowElems, before.rowElems);
    EXPECT_EQ(after.nonNegative, before.nonNegative);
  }
  EXPECT_EQ(givenSchema(*again).tables.size(), 1u);
}

/// f(0, 1) with defaults and g() without, before the table of a formula.
LaneProgram withInputs() {
  LaneProgram program = withFormulas();
  const uint64_t elems = uint64_t{program.variables[0].extent} * program.variables[1].extent;
  program.schema.tables[0] = {{}, elems, true};
  program.schema.tables.insert(program.schema.tables.begin() + 1, {{}, 1, false});
  program.caseInputs = {{"f g",
                         {VarId{0}, VarId{1}},
                         true,
                         std::make_shared<const std::vector<double>>(elems, 0.125)},
                        {"g", {}, false, nullptr}};
  return program;
}

TEST(LaneProgramText, HasTheInputsOfTables) {
  const LaneProgram program = withInputs();
  const std::string text = printLaneProgram(program);
  Diagnostics diagnostics;
  const std::optional<LaneProgram> again = readLanes(text, diagnostics);
  ASSERT_TRUE(again) << text << renderDiagnostics(diagnostics);
  EXPECT_EQ(printLaneProgram(*again), text);
  ASSERT_EQ(again->caseInputs.size(), 2u);
  EXPECT_TRUE(again->caseInputs[0].conditional);
  EXPECT_EQ(again->caseInputs[0].scope, program.caseInputs[0].scope);
  EXPECT_EQ(*again->caseInputs[0].defaults, *program.caseInputs[0].defaults);
  EXPECT_EQ(again->caseInputs[1].name, "g");
  EXPECT_FALSE(again->caseInputs[1].defaults);
}

TEST(LaneProgramText, BrokenInputsAreErrors) {
  const std::string text = printLaneProgram(withInputs());
  const std::pair<const char *, const char *> kEdits[] = {
      {"conditional scope 0 1", "conditional scope 0"},
      {"conditional scope 0 1", "conditional scope 0 0"},
      {"conditional scope 0 1", "conditional scope 0 99"},
      {"conditional scope 0 1", "conditional"},
      {"entries 0.125", "entries -0.125"},
      {"entries 0.125", "entries 0.125 1"},
      {"input g scope", "input \"f g\" scope"},
      {"input g scope", "input g conditional scope"},
      {"input g scope", "input g scope\ninput h scope"},
  };
  for (const auto &[from, to] : kEdits) {
    std::string broken = text;
    const size_t at = broken.find(from);
    ASSERT_NE(at, std::string::npos) << from << "\n" << text;
    broken.replace(at, std::string_view(from).size(), to);
    Diagnostics diagnostics;
    EXPECT_FALSE(readLanes(broken, diagnostics)) << to;
    EXPECT_TRUE(diagnostics.hasErrors()) << to;
  }
}

TEST(LaneProgramText, BrokenFormulasAreErrors) {
  const std::string text = printLaneProgram(withFormulas());
  const std::pair<const char *, const char *> kEdits[] = {
      {"param 1 subtract", "param 3 subtract"},
      {"param 1 subtract", "param 1"},
      {"param 1 subtract", "subtract"},
      {"param 1 subtract", "param 1 conjure"},
      {"state 0", "state 1"},
      {"part 1 3", "part 0 3"},
      {"part 3 4", "part 3 5"},
      {"part 3 4", "part 4 3"},
      {"extents 2 2", "extents 2 3"},
      {"extents 2 2", "extents 0 2"},
      {"extents 2 2", "extents 4294967294 4294967294 4"},
      {"row=2", "row=3"},
      {"row=2", "row=-1"},
      {"parameter t", "parameter u"},
      {"follows param 0", "follows param 2"},
      {"follows param 0", "follows state 0"},
      {"follows param 0", "follows"},
      {"follows param 0 param 1 multiply", "follows"},
      {"follows param 0 param 1 multiply", "follows constant 1"},
      {"follows param 0 param 1", "follows param 0 half"},
      {"parameter t 0.25", "parameter t 0.25 follows param 0"},
      {"parameter t", "parameter s"},
      {"parameter t 0.25", "parameter t nan"},
      {"parameter t 0.25\n", ""},
      {"sweep 0.25 0.5", "sweep 0.25 nan"},
      {"sweep 0.25 0.5", "sweep 0.25 half"},
      {"parameter u 2\n", "parameter u 2\nsweep 1\n"},
      {"parameter u 2\n", "sweep 1\nparameter u 2\n"},
      {"elems=4 non-negative", "elems=5 non-negative"},
      {"entries 0.25 -3", "entries 0.25"},
      {"entries 0.25 -3", "formula g row=0 extents 1"},
      {"  entries 0.25 -3", "  part 0 1 param 0\n  entries 0.25"},
      {"varying elems=2\n", ""},
      {"row=2 extents", "row=2 stored extents"}};
  for (const auto &[what, by] : kEdits) {
    std::string edited = text;
    const size_t at = edited.find(what);
    ASSERT_NE(at, std::string::npos) << what << " in\n" << text;
    edited.replace(at, std::string_view(what).size(), by);
    Diagnostics diagnostics;
    EXPECT_FALSE(readLanes(edited, diagnostics)) << edited;
    EXPECT_GT(diagnostics.errorCount(), 0u) << what << " -> " << by;
  }
}

TEST(LaneProgramText, HasWhatIsAskedFor) {
  LaneProgram program = test::smallLaneProgram(QueryKind::Evidence);
  program.kind = QueryKind::Joints;
  program.asked = {{{VarId{2}, VarId{0}}, 1}, {{VarId{0}}}};
  const LaneOutput posterior = {{"q", {VarId{0}}, true}, {2}, {7, 0, {1}}};
  program.outputs = {program.outputs.front(), posterior, posterior};
  Diagnostics diagnostics;
  const std::optional<LaneProgram> again = readLanes(printLaneProgram(program), diagnostics);
  ASSERT_TRUE(again) << renderDiagnostics(diagnostics);
  ASSERT_EQ(again->asked.size(), 2);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(again->asked[i].variables, program.asked[i].variables);
    EXPECT_EQ(again->asked[i].rowVariables, program.asked[i].rowVariables);
  }
}

TEST(LaneProgramText, HasTheEntriesExactlyOrApart) {
  LaneProgram program = test::smallLaneProgram(QueryKind::Evidence);
  const std::vector<double> entries{0.1, 5e-324, 1e308, -0.0, 1.0 / 3, 0.30000000000000004};
  program.values[0].values = std::make_shared<const std::vector<double>>(entries);
  Diagnostics diagnostics;
  EXPECT_EQ(*readLanes(printLaneProgram(program), diagnostics)->values[0].values, entries);

  const std::string text = printLaneProgram(program, EntryText::Apart);
  EXPECT_EQ(text.find("entries"), std::string::npos) << text;
  const StoredEntries stored{program.values[0].values, program.values[1].values};
  const std::optional<LaneProgram> again = readLanes(text, diagnostics, stored);
  ASSERT_TRUE(again) << renderDiagnostics(diagnostics);
  EXPECT_EQ(again->values[0].values, stored[0]);
  EXPECT_FALSE(readLanes(text, diagnostics, {stored[0]}));
  EXPECT_FALSE(readLanes(text, diagnostics, {stored[0], stored[1], stored[1]}));

  program.values[0].values = nullptr; // to be bound
  const std::optional<LaneProgram> open = readLanes(printLaneProgram(program), diagnostics);
  ASSERT_TRUE(open);
  EXPECT_EQ(open->values[0].values, nullptr);
}

/// Returns the error of the text of smallLaneProgram with one part, which it must have, exchanged.
std::string laneTextError(std::string_view part, std::string_view other) {
  std::string text = printLaneProgram(test::smallLaneProgram(QueryKind::Mpe));
  const size_t at = text.find(part);
  if (at == std::string::npos)
    return "not in " + text;
  text.replace(at, part.size(), other);
  Diagnostics diagnostics;
  EXPECT_FALSE(readLanes(text, diagnostics)) << text;
  return diagnostics.all().empty() ? "" : renderDiagnostic(diagnostics.all().front());
}

TEST(LaneProgramText, BrokenTextGetsAPlacedMessage) {
  const auto expectError = [](std::string_view part, std::string_view other,
                              const std::string &message) {
    const std::string error = laneTextError(part, other);
    EXPECT_NE(error.find(message), std::string::npos) << error;
    EXPECT_TRUE(error.starts_with("q.lanes:")) << error;
  };
  expectError("lanes q", "plan q", "expected a line 'lanes NAME KIND TYPE SEMIRING'");
  expectError("lanes q best", "lanes q worst", ":3:9: error: no kind of query");
  expectError("f64", "f16", "no element type");
  expectError("max-product", "max-min", "no semiring");
  expectError("observed 0", "observed 3", "variable is 3, the largest allowed is 2");
  expectError("observed 0", "seen 0", "expected lanes, variable, observed");
  expectError("extent=2 fixed", "extent=-2 fixed", "extent= needs a whole number");
  expectError("  entries 1 2", "  entries 1 two", "expected an entry");
  expectError("table f values 0", "table f values 2", "number is 2, the largest allowed is 1");
  expectError("table f values 0", "table f dice 0",
              "expected values, indicator, weights, common or message");
  expectError("gather 5 from 4 codes 0:3", "gather 5 from 4 codes 0-3", "expected COLUMN:STRIDE");
  expectError("gather 5 from", "gather 9 from", "table is 9, the largest allowed is 8");
  expectError("operand 5 base=0", "operand 5", "expected 'base=...'");
  expectError("  result strides 0\n", "  result strides 0\n  result strides 0\n",
              "operands and results come after a line 'common' or 'step'");
  expectError("scope 1 strides 1", "scope 1", "expected strides");
  expectError("traceback 0", "output z table 8 scope strides\ntraceback 0",
              ":3:1: error: lane program: 2 outputs of a query of kind best");
  expectError("step 6 reduced 3", "step 6 reduced 4",
              "lane program: a step that makes m0 reaches entry 3 of g0, which has 3");
}

TEST(LaneProgramText, MayHoldSeveralPrograms) {
  const std::string one = printLaneProgram(test::smallLaneProgram(QueryKind::Evidence));
  Diagnostics diagnostics;
  const auto programs =
      readLanePrograms(std::make_shared<const SourceBuffer>("q.lanes", one + one), diagnostics);
  ASSERT_TRUE(programs);
  EXPECT_EQ(programs->size(), 2u);
  EXPECT_EQ(printLaneProgram(programs->back().program), one);
}

} // namespace
} // namespace mpf
