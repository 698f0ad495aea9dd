// Options of a host program for compiling a model, and for a program before it runs.
#include "codegen/bundle/head/program_head.h"
#include "runtime/api/cases.h"
#include "runtime/api/session.h"
#include "tests/support/error_kind.h"
#include "tests/unit/runtime/library/rain_model.h"
#include "tests/unit/temporary_folder.h"

#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <string>

namespace mpf {
namespace {

/// Returns log10 of the first number of one run.
double answerOf(const Program &program) { return log10Of(Session(program).run()); }

TEST(Program, CompilesAQueryThatTheModelDoesNotHave) {
  EXPECT_NEAR(answerOf(compileText(kRain, {.query = "evidence | rain = yes"})), std::log10(0.16),
              1e-12);
  const Result joint = Session(compileText(kRain, {.query = "P(rain)"})).run();
  EXPECT_NEAR(joint.tables.front().at(1).log10(), std::log10(0.16 / 0.24), 1e-12);
  EXPECT_EQ(errorKindOf([] { compileText(kRain, {.query = "P(snow)"}); }), ErrorKind::Usage);
  EXPECT_EQ(errorKindOf([] { compileText(kRain, {.query = "evidence | wet = no"}); }),
            ErrorKind::Usage)
      << "the model observes wet = yes";
}

TEST(Program, ObservesWhatTheOptionsSay) {
  EXPECT_NEAR(answerOf(compileText(kRain, {.observe = "wet = no"})), std::log10(0.76), 1e-12);
  EXPECT_NEAR(answerOf(compileText(kRain, {.observe = "rain ~ [0, 0.5]"})), std::log10(0.08),
              1e-12);
}

/// A fit of observed posteriors is planned and run within the memory bound of the options.
TEST(Program, FitsPosteriorsWithinTheMemoryBound) {
  const std::string model = "var x[4] : 20\n"
                            "for i in 0..4, j in i+1..4: factor f(x[i], x[j]) = 1 + x[i] * x[j]\n"
                            "var b, c : 2\nfactor g(b, c, x[0]) = 1 + b * x[0] + c * b\n"
                            "observe b ~ posterior [0.25, 0.75], c ~ posterior [0.5, 0.5]\n"
                            "query P(b)";
  const auto posterior = [&](uint64_t bytes) {
    Session session(compileText(model, {.type = "f32", .maxMemoryBytes = bytes, .device = "cpu"}));
    return std::ldexp(session.run().tables.front().at(1).mantissa,
                      static_cast<int>(session.run().tables.front().at(1).exponent));
  };
  EXPECT_NEAR(posterior(1 << 20), 0.75, 1e-6);
  EXPECT_NEAR(posterior(64 << 10), 0.75, 1e-6); // in slices, one session at a time
  EXPECT_EQ(errorKindOf([&] { posterior(2 << 10); }), ErrorKind::MemoryBound);
}

/// A network of another format has the given queries, also in a text that includes it.
TEST(Program, AsksANetworkOfAnotherFormat) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/rain.bif";
  std::ofstream(path) << "network n { }\nvariable rain { type discrete [ 2 ] { no, yes }; }\n"
                         "probability ( rain ) { table 0.8, 0.2; }\n";
  EXPECT_NEAR(answerOf(compileFile(path, {.query = "evidence | rain = yes"})), std::log10(0.2),
              1e-12);
  EXPECT_NEAR(answerOf(compileText("include \"" + path + "\" observe rain = yes query evidence")),
              std::log10(0.2), 1e-12);
  EXPECT_EQ(compileCasesFile(path, {}, {.query = "evidence"}).head().name, "evidence");
}

TEST(Program, SaysWhatItIsMadeOf) {
  const Program program = compileText(R"(
    var rain, wet : {no, yes}
    var n : 3
    factor f(rain, n) = input
    factor g(n) = [1, 2, 3]
    prob P(wet | rain) = [[0.9, 0.1], [0.2, 0.8]]
    observe wet = yes
    query total(rain) = sum(n) f * g * P(wet)
  )");
  EXPECT_EQ(program.query(), "total");
  const std::vector<VariableInfo> variables = program.variables();
  ASSERT_EQ(variables.size(), 3u);
  EXPECT_EQ(variables[0].labels, (std::vector<std::string>{"no", "yes"}));
  EXPECT_TRUE(variables[1].isObserved);
  EXPECT_FALSE(variables[0].isObserved);
  EXPECT_TRUE(variables[2].labels.empty());
  EXPECT_EQ(variables[2].states, 3u);
  const std::vector<InputInfo> inputs = program.inputs();
  ASSERT_EQ(inputs.size(), 3u);
  EXPECT_EQ(inputs[0].factor, "f");
  EXPECT_EQ(inputs[0].variables, (std::vector<std::string>{"rain", "n"}));
  EXPECT_EQ(inputs[0].sizeElems, 6u);
  EXPECT_FALSE(inputs[0].hasValues);
  EXPECT_TRUE(inputs[1].hasValues);
}

TEST(Program, InputsWithFinalTablesAreThoseWithoutValues) {
  const Program program =
      compileText("var x : 2 factor f(x) = input factor g(x) = [1, 2] query q = sum() f * g",
                  {.finalTables = true});
  ASSERT_EQ(program.inputs().size(), 1u);
  EXPECT_EQ(program.inputs().front().factor, "f");
}

TEST(Program, HandsWarningsToTheCaller) {
  std::vector<std::string> warnings;
  const std::string text = "var a, b : 2 prob P(a) = [0.501, 0.501] prob P(b | a) = "
                           "[[0.5, 0.5], [0.5, 0.5]] query P(b)";
  compileText(text, {.warnings = &warnings});
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings.front().find("<text>:1:"), std::string::npos) << warnings.front();
  EXPECT_NE(warnings.front().find("1.002"), std::string::npos) << warnings.front();
  compileCasesText(text, {}, {.warnings = &warnings});
  EXPECT_EQ(warnings.size(), 2u);
}

TEST(Program, PredictsHowLongARunTakes) {
  const Program program = compileText(kRain, {.device = "cpu"});
  const double seconds = predictSeconds(program, {.device = "cpu"});
  EXPECT_GT(seconds, 0);
  EXPECT_LT(seconds, 1);
  EXPECT_EQ(errorKindOf([&] { predictSeconds(program, {.device = "abacus"}); }), ErrorKind::Usage);
}

TEST(Program, IsBytesInMemoryToo) {
  const TemporaryFolder folder;
  const Program program = compileText(kRain);
  const std::string bytes = program.bytes(), path = folder.path() + "/rain.mpfb";
  EXPECT_EQ(answerOf(loadProgramBytes(bytes)), answerOf(program));
  EXPECT_EQ(loadProgramBytes(bytes).bytes(), bytes);
  program.save(path);
  EXPECT_EQ(loadProgram(path).bytes(), bytes);
  const std::string cases = compileCasesText(kRain).bytes();
  EXPECT_EQ(loadCasesBytes(cases).bytes(), cases);
  EXPECT_EQ(loadCasesBytes(cases).head().name, "evidence");
  EXPECT_TRUE(std::holds_alternative<CaseProgram>(loadBytes(cases)));
  EXPECT_TRUE(std::holds_alternative<Program>(loadBytes(bytes)));
  EXPECT_TRUE(std::holds_alternative<Program>(load(path)));
  EXPECT_EQ(errorKindOf([&] { loadProgramBytes(cases); }), ErrorKind::BadInput);
  EXPECT_EQ(errorKindOf([&] { loadCasesBytes(bytes); }), ErrorKind::BadInput);
  for (size_t length = 0; length < bytes.size(); length += 1 + bytes.size() / 64) {
    EXPECT_EQ(errorKindOf([&] { loadProgramBytes(bytes.substr(0, length)); }), ErrorKind::BadInput);
    EXPECT_EQ(errorKindOf([&] { loadCasesBytes(bytes.substr(0, length)); }), ErrorKind::BadInput);
  }
}

} // namespace
} // namespace mpf
