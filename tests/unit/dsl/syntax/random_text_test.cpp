// Texts derived at random from the grammar are accepted, and the formatter does not change their
// meaning. The same texts with one mistake are refused or accepted, without a crash.
#include "dsl/syntax/format_source.h"
#include "dsl/syntax/lexer.h"
#include "tests/support/trials.h"
#include "tests/unit/dsl/syntax/random_text.h"
#include "tests/unit/dsl/syntax/syntax_text.h"

#include <gtest/gtest.h>

using namespace mpf;

namespace {

constexpr unsigned kTexts = trials(1000u);

std::optional<std::string> formattedIfGood(std::string_view text) {
  Diagnostics diagnostics;
  return formatSource(std::make_shared<const SourceBuffer>("test.mpf", std::string(text)),
                      diagnostics);
}

size_t commentCount(std::string_view text) {
  Diagnostics diagnostics;
  Lexer lexer(std::make_shared<const SourceBuffer>("test.mpf", std::string(text)), diagnostics,
              CommentMode::Keep);
  size_t count = 0;
  for (Token token = lexer.next(); token.kind != TokenKind::EndOfFile; token = lexer.next())
    count += token.kind == TokenKind::Comment;
  return count;
}

} // namespace

TEST(RandomText, AcceptedAndKeptByTheFormatter) {
  for (unsigned seed = 0; seed < kTexts; ++seed) {
    const std::string text = RandomText(seed).file();
    const Parsed parsed = parseText(text);
    ASSERT_EQ(parsed.errors, "") << "seed " << seed << '\n' << text;
    const auto once = formattedIfGood(text);
    ASSERT_TRUE(once.has_value()) << "seed " << seed;
    ASSERT_EQ(parseText(*once).ast, parsed.ast) << "seed " << seed << '\n' << *once;
    ASSERT_EQ(commentCount(*once), commentCount(text)) << "seed " << seed << '\n' << *once;
    ASSERT_EQ(formattedIfGood(*once), once) << "seed " << seed;
  }
}

TEST(RandomText, OneMistakeIsReportedOrHarmless) {
  std::mt19937 random(13);
  for (unsigned seed = 0; seed < kTexts; ++seed) {
    std::string text = RandomText(seed).file();
    const size_t at = random() % text.size();
    if (seed % 3 == 0)
      text.erase(at, 1);
    else if (seed % 3 == 1)
      text.insert(at, 1, "()[]{},:=~|@*\"`\xff"[random() % 16]);
    else
      text.resize(at);
    const Parsed parsed = parseText(text);
    EXPECT_EQ(formattedIfGood(text).has_value(), parsed.errors.empty()) << "seed " << seed << '\n'
                                                                        << text << parsed.errors;
  }
}
