#include "tools/mpfc/options/option_table.h"

#include "tools/mpfc/options/option_meanings.h"
#include "tools/mpfc/options/parse_options.h"

#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace mpf::driver {
namespace {

std::string labelOf(const OptionRow &row) { return std::string(row.name); }

TEST(OptionTable, EveryRowHasHelpAndAReader) {
  for (const OptionRow *row : optionTable()) {
    SCOPED_TRACE(labelOf(*row));
    EXPECT_NE(row->value.read, nullptr);
    EXPECT_FALSE(row->brief.empty());
    EXPECT_LE(row->brief.size(), 66u);
    EXPECT_FALSE(row->brief.ends_with('.'));
    EXPECT_TRUE(row->text.empty() || row->text.ends_with('.')) << row->text;
    const bool hasWords = row->value.completes == Completion::Choices ||
                          row->value.completes == Completion::FileOrChoices;
    EXPECT_EQ(hasWords, row->value.choices != nullptr);
    EXPECT_NE(row->effects.front(), nullptr);
    EXPECT_FALSE(row->isWord() && row->isFlag());
  }
}

TEST(OptionTable, MetavarsSayWhatGoesIn) {
  for (const OptionRow *row : optionTable()) {
    SCOPED_TRACE(labelOf(*row));
    EXPECT_NE(row->metavar, "TEXT");
    EXPECT_NE(row->metavar, "STRING");
    for (const char c : row->metavar)
      EXPECT_TRUE(std::isupper(static_cast<unsigned char>(c)) || c == '=' || c == '-') << c;
  }
}

TEST(OptionTable, ACommandHasAnOptionOnce) {
  for (const CommandRow &command : commandTable()) {
    std::set<std::string_view> names;
    for (const OptionRow *row : optionsOf(command.command))
      EXPECT_TRUE(names.insert(row->name).second) << command.name << " " << row->name;
    EXPECT_TRUE(names.contains("--help")) << command.name;
  }
}

TEST(OptionTable, NoOldNameIsAnOption) {
  for (const OptionRow *row : optionTable())
    EXPECT_TRUE(optionMeant(row->name).empty()) << row->name;
}

TEST(OptionTable, ConflictsAreOfOptions) {
  for (const OptionConflict &conflict : optionConflicts())
    for (const std::string_view name : {conflict.name, conflict.other})
      EXPECT_TRUE(std::any_of(optionTable().begin(), optionTable().end(),
                              [&](const OptionRow *row) { return row->name == name; }))
          << name;
}

/// Whether `text` has the word `name`, which other letters or dashes do not lengthen.
bool hasWord(const std::string &text, std::string_view name) {
  const auto isPart = [](char c) {
    return c == '-' || std::isalnum(static_cast<unsigned char>(c)) != 0;
  };
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    const bool isShort = name.size() == 2; // "-Dn=3"
    if ((at == 0 || !isPart(text[at - 1])) && (isShort || end == text.size() || !isPart(text[end])))
      return true;
  }
  return false;
}

TEST(OptionTable, ATestNamesEachOption) {
  std::string tests;
  for (const auto &entry :
       std::filesystem::recursive_directory_iterator(std::string(MPF_SOURCE_DIR) + "/tests")) {
    const std::string ending = entry.path().extension();
    if (ending != ".test" && ending != ".mpf" && ending != ".cases" && ending != ".py")
      continue;
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    tests += text.str();
  }
  for (const OptionRow *row : optionTable())
    EXPECT_TRUE(row->isWord() || hasWord(tests, row->name)) << row->name;
}

TEST(ParseOptions, FormsOfValues) {
  const CommandRow &run = *findCommand("run");
  Options options;
  const std::vector<std::string> words = {"--threads=3", "-Dn=2",   "-D", "m=[1, 2]", "--seed",
                                          "5",           "--trust", "--", "--m.mpf"};
  parseOptions(run, words, options);
  EXPECT_EQ(options.threads, 3u);
  EXPECT_EQ(options.seed, 5u);
  EXPECT_TRUE(options.trust);
  EXPECT_EQ(options.input, "--m.mpf");
  EXPECT_EQ(options.params.values.size(), 2u);
  EXPECT_EQ(options.given, (std::vector<std::string>{"--threads", "-D", "--seed", "--trust"}));
}

TEST(ParseOptions, RefusesWhatMakesNoSense) {
  const CommandRow &run = *findCommand("run");
  for (const std::vector<std::string> &words : {std::vector<std::string>{"m.mpf", "--threads"},
                                                {"m.mpf", "--trust=1"},
                                                {"m.mpf", "n.mpf"},
                                                {"--threads", "3"},
                                                {"m.mpf", "-o=x"},
                                                {"m.mpf", "--autotune="},
                                                {"m.mpf", "--trust", "--trust"},
                                                {"m.mpf", "--observ", "x=1"}}) {
    Options options;
    EXPECT_THROW(parseOptions(run, words, options), Error) << words.back();
  }
}

} // namespace
} // namespace mpf::driver
