// Tests .mpfb files of lane programs: a written one is read back, and a damaged one is refused.

#include "codegen/bundle/forms/program_file.h"
#include "codegen/bundle/lanes/print_lane_program.h"
#include "codegen/bundle/section.h"
#include "tests/unit/codegen/lanes/lane_programs.h"

#include <functional>
#include <gtest/gtest.h>

namespace mpf {
namespace {

std::string laneFileError(const std::function<void()> &action) {
  try {
    action();
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput) << error.what();
    return error.what();
  }
  return {};
}

TEST(LaneBundle, ReadsBackWhatWasWritten) {
  for (const QueryKind kind : {QueryKind::Evidence, QueryKind::Marginals, QueryKind::Mpe}) {
    LaneProgram program = test::smallLaneProgram(kind);
    program.values[0].values =
        std::make_shared<const std::vector<double>>(std::vector{0.1, 5e-324, 1e308, 0.5, 2., 3.});
    const std::string file = programBytes(program);
    const StoredProgram read = parseProgram(file);
    ASSERT_TRUE(std::holds_alternative<LaneProgram>(read));
    EXPECT_EQ(printLaneProgram(std::get<LaneProgram>(read)), printLaneProgram(program));
    EXPECT_EQ(programBytes(std::get<LaneProgram>(read)), file);
  }
}

TEST(LaneBundle, KeepsFactorsThatAreToBeBound) {
  LaneProgram program = test::smallLaneProgram(QueryKind::Evidence);
  program.values[0].values = nullptr;
  const LaneProgram read = std::get<LaneProgram>(parseProgram(programBytes(program)));
  EXPECT_EQ(read.values[0].values, nullptr);
  EXPECT_EQ(*read.values[1].values, *program.values[1].values);
}

TEST(LaneBundle, EveryCutAndEveryFlippedByteIsRefused) {
  const std::string file = programBytes(test::smallLaneProgram(QueryKind::Marginals));
  for (size_t length = 0; length < file.size(); ++length)
    EXPECT_NE(laneFileError([&] { parseProgram(std::string_view(file).substr(0, length)); }), "")
        << "cut after " << length;
  for (size_t i = 0; i < file.size(); ++i) {
    std::string damaged = file;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    EXPECT_NE(laneFileError([&] { parseProgram(damaged); }), "") << "byte " << i;
  }
  EXPECT_NE(laneFileError([&] { parseProgram(file + "x"); }), "");
}

/// A file with sound sections around any contents.
std::string laneFile(const std::string &text, const std::vector<std::string> &tables) {
  std::string file = sectionFileHeader();
  appendSection(file, SectionKind::Form, "lanes");
  appendSection(file, SectionKind::Text, text);
  for (const std::string &table : tables)
    appendSection(file, SectionKind::Table, table);
  return file;
}

TEST(LaneBundle, SaysWhatIsWrongInsideOfSoundSections) {
  const LaneProgram program = test::smallLaneProgram(QueryKind::Evidence);
  const std::string text = printLaneProgram(program, EntryText::Apart);
  const std::string six(6 * sizeof(double), '\0');
  const auto expectError = [&](const std::string &file, const std::string &part) {
    const std::string error = laneFileError([&] { parseProgram(file); });
    EXPECT_NE(error.find(part), std::string::npos) << error;
  };
  EXPECT_EQ(laneFileError([&] { parseProgram(laneFile(text, {six, six})); }), "");
  expectError(laneFile(text, {six}), "these values are stored, and there is no table for them");
  expectError(laneFile(text, {six, six, six}), "3 tables are stored, 2 are used");
  expectError(laneFile(text, {six, six + "abc"}), "a table of 51 bytes");
  EXPECT_EQ(laneFileError([&] {
              parseProgram(laneFile(text, {six, six + six}));
            }),
            "")
      << "mantissas and exponents: a table of wide numbers";
  expectError(laneFile(text, {six, six + six + six}), "has 18 values for 6 entries");
  expectError(laneFile(text + text, {six, six, six, six}), "2 lane programs, a file holds one");
  expectError(laneFile("plan q", {}), "expected a line 'lanes NAME KIND TYPE SEMIRING'");
  std::string outside = text;
  outside.replace(outside.find("gather 5 from 4"), 15, "gather 5 from 0");
  expectError(laneFile(outside, {six, six}), "lane program: ");
}

TEST(ProgramFile, RefusesAnUnknownForm) {
  std::string file = sectionFileHeader();
  appendSection(file, SectionKind::Form, "dice");
  EXPECT_EQ(laneFileError([&] { parseProgram(file); }),
            "bundle: there is no form of program 'dice'");
}

TEST(LaneBundle, IsNoBundleOfASingleCase) {
  const std::string file = programBytes(test::smallLaneProgram(QueryKind::Evidence));
  EXPECT_NE(laneFileError([&] { parseAs<Bundle>(file); }).find("it answers lists of cases"),
            std::string::npos);
}

} // namespace
} // namespace mpf
