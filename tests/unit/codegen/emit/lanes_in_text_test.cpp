// Tests the data after the kernel in a CUDA text of lanes: it is read back as written, and none of
// it runs.
#include "codegen/emit/lanes_in_text.h"

#include "codegen/bundle/lanes/linear_plan.h"
#include "codegen/bundle/lanes/print_lane_program.h"
#include "codegen/emit/kernel_file_name.h"
#include "codegen/emit/lanes/lane_kernel_parts.h"
#include "codegen/emit/lanes/team_source.h"
#include "codegen/emit/table_driven_source.h"
#include "tests/unit/codegen/lanes/lane_programs.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

LaneLimitsOfDevice someLimits() {
  LaneLimitsOfDevice limits;
  limits.threads.terms = 123;
  limits.teams.statements = 0;
  limits.teams.sharedBytes = UINT64_MAX;
  return limits;
}

std::optional<DescribedLanes> read(const std::string &text, Diagnostics &diagnostics) {
  return readLanesInText(SourceBuffer("k.cu", text), diagnostics);
}

TEST(LanesInText, AreReadAsTheyWereWritten) {
  for (const QueryKind kind : {QueryKind::Evidence, QueryKind::Marginals, QueryKind::Mpe}) {
    LaneProgram program = test::smallLaneProgram(kind);
    program.variables[0].name = "two words # \"quoted\"\nline";
    const std::string said = lanesInText(program, someLimits());
    Diagnostics diagnostics;
    const auto again = read("a kernel\n" + said, diagnostics);
    ASSERT_TRUE(again) << renderDiagnostics(diagnostics);
    EXPECT_EQ(printLaneProgram(again->program), printLaneProgram(program));
    EXPECT_EQ(lanesInText(again->program, again->limits), said);
    EXPECT_EQ(again->limits.threads.terms, 123u);
    EXPECT_EQ(again->limits.teams.sharedBytes, UINT64_MAX);
  }
}

TEST(LanesInText, MayBeSpacedAndCommentedOtherwise) {
  const std::string said = lanesInText(test::smallLaneProgram(QueryKind::Evidence), someLimits());
  std::string spaced = said;
  spaced.replace(spaced.find("limits "), 7, "\t\"limits\"\t");
  for (const std::string &text : {"//: # limits of the device\n" + said, spaced}) {
    Diagnostics diagnostics;
    const auto again = read(text, diagnostics);
    ASSERT_TRUE(again) << renderDiagnostics(diagnostics);
    EXPECT_EQ(lanesInText(again->program, again->limits), said);
  }
}

TEST(LanesInText, PlacesAreThoseOfTheText) {
  std::string said = lanesInText(test::smallLaneProgram(QueryKind::Evidence), {});
  said.replace(said.find("sum-product"), 11, "sum-prodigy");
  Diagnostics diagnostics;
  EXPECT_FALSE(read("one\ntwo\n" + said, diagnostics));
  EXPECT_NE(renderDiagnostics(diagnostics).find("k.cu:6:"), std::string::npos)
      << renderDiagnostics(diagnostics);
}

TEST(LanesInText, OtherLinesAreRefused) {
  const LaneProgram program = test::smallLaneProgram(QueryKind::Evidence);
  const std::string said = lanesInText(program, {});
  const std::string two = said + said.substr(said.find('\n') + 1);
  for (const std::string &text :
       {std::string(), std::string("//: \n"), std::string("//: limits terms=x\n"),
        said.substr(said.find('\n') + 1), said.substr(0, said.find('\n') + 1), two}) {
    Diagnostics diagnostics;
    EXPECT_FALSE(read(text, diagnostics)) << text;
    EXPECT_TRUE(diagnostics.hasErrors()) << text;
  }
}

TEST(LanesInText, AreCommentsAtTheEndOnly) {
  const std::string kernel = "kernel\n// mine\n";
  const std::string said = "// query q: 32 threads\n//: limits terms=1\n//: lanes\n";
  EXPECT_EQ(withoutLanesInText(kernel + said), kernel);
  EXPECT_EQ(withoutLanesInText(kernel), kernel);
  EXPECT_EQ(withoutLanesInText(""), "");
  EXPECT_EQ(withoutLanesInText(said), "");
  EXPECT_EQ(withoutLanesInText("//: x"), "");
  const std::string behind = kernel + said + "more\n";
  EXPECT_EQ(withoutLanesInText(behind), behind);
  const std::string ended = kernel + "//: limits\r__device__ int more;\n";
  EXPECT_EQ(withoutLanesInText(ended), ended);
}

TEST(KernelFileName, IsThatOfTheStore) {
  EXPECT_EQ(kernelFileName(teamSource(ElementType::F32)), "lane_teams_f32");
  EXPECT_EQ(kernelFileName(teamSource(ElementType::F64) + "edited"), "lane_teams_f64");
  for (const ElementType type :
       {ElementType::F64, ElementType::F32, ElementType::U64, ElementType::U128})
    for (const bool packed : {false, true})
      EXPECT_EQ(kernelFileName(tableDrivenSource(type, packed)), tableDrivenName(type, packed));
  const LaneProgram program = test::smallLaneProgram(QueryKind::Evidence);
  const CommonTables common = test::commonOf(program);
  const auto kernel =
      emitLanes(program, common, planLinear(program, common, program.type), program.type);
  ASSERT_TRUE(kernel);
  EXPECT_TRUE(isNamedLaneText(kernel->source));
  EXPECT_FALSE(isNamedLaneText(kernel->source + " "));
  EXPECT_EQ(kernelFileName(kernel->source + " "), kernel->name);
  EXPECT_EQ(kernelFileName("kernel"), "");
}

} // namespace
} // namespace mpf
