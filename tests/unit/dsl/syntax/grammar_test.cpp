// Every rule of the reference grammar accepts what it should and refuses the rest, with one error.
#include "dsl/support/files/file_input.h"
#include "tests/unit/dsl/syntax/accepted_arrays.h"
#include "tests/unit/dsl/syntax/rejected_rules.h"
#include "tests/unit/dsl/syntax/syntax_text.h"

#include <algorithm>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <set>

using namespace mpf;

namespace {

std::string withoutLastNewline(std::string text) {
  if (text.ends_with('\n'))
    text.pop_back();
  return text;
}

/// Returns the names on the left of '=' in the ebnf block of dsl/LANGUAGE.md.
std::set<std::string> rulesOfReadme() {
  const std::string readme = readFile(MPF_SOURCE_DIR "/dsl/LANGUAGE.md");
  const size_t begin = readme.find("```ebnf\n"), end = readme.find("```", begin + 1);
  std::set<std::string> rules;
  size_t at = readme.find('\n', begin) + 1;
  while (at < end) {
    const size_t lineEnd = readme.find('\n', at);
    const std::string line = readme.substr(at, lineEnd - at);
    const size_t word = line.find(' ');
    if (!line.empty() && line.front() != ' ' && line.find(" = ") != std::string::npos)
      rules.insert(line.substr(0, word));
    at = lineEnd + 1;
  }
  return rules;
}

} // namespace

TEST(Grammar, AcceptedTexts) {
  for (const RuleCase &test : acceptedRules()) {
    const Parsed parsed = parseText(test.text);
    EXPECT_EQ(parsed.errors, "") << test.rule << ": " << test.text;
    EXPECT_EQ(withoutLastNewline(parsed.ast), test.expected) << test.rule << ": " << test.text;
  }
}

TEST(Grammar, RejectedTexts) {
  for (const RuleCase &test : kRejected) {
    const Parsed parsed = parseText(test.text);
    EXPECT_EQ(withoutLastNewline(parsed.errors), test.expected) << test.rule << ": " << test.text;
  }
}

TEST(Grammar, RejectedTextsDoNotSpoilWhatFollows) {
  for (const RuleCase &test : kRejected) {
    if (test.text.find('{') != std::string_view::npos && test.rule == "block")
      continue; // an open block would contain the next declaration
    const Parsed parsed = parseText(std::string(test.text) + "\nquery evidence\n");
    EXPECT_EQ(std::ranges::count(parsed.errors, '\n'), 1) << test.text << '\n' << parsed.errors;
    EXPECT_TRUE(parsed.ast.ends_with("query evidence\n")) << test.text << '\n' << parsed.ast;
  }
}

TEST(Grammar, EveryRuleIsTestedBothWays) {
  const std::set<std::string> rules = rulesOfReadme();
  EXPECT_GT(rules.size(), 40u);
  const auto tested = [](const auto &table) {
    std::set<std::string> names;
    for (const RuleCase &test : table)
      names.emplace(test.rule);
    return names;
  };
  EXPECT_EQ(tested(acceptedRules()), rules);
  EXPECT_EQ(tested(kRejected), rules);
}
