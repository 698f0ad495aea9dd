#include "dsl/syntax/spelling.h"

#include <gtest/gtest.h>
#include <random>

using namespace mpf;

TEST(Spelling, PlainNamesStayPlain) {
  for (const char *name : {"x", "_a1", "sum", "file", "P", "größe"})
    EXPECT_EQ(spellName(name), name);
}

TEST(Spelling, OtherNamesGetBackquotes) {
  EXPECT_EQ(spellName("0-4"), "`0-4`");
  EXPECT_EQ(spellName("order"), "`order`");
  EXPECT_EQ(spellName("two words"), "`two words`");
  EXPECT_EQ(spellName("a`b\\"), "`a\\`b\\\\`");
  EXPECT_EQ(spellName(std::string("a\0\xff", 3)), "`a\\x00\\xff`");
}

TEST(Spelling, EveryTextReadsBack) {
  std::mt19937 random(5);
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    for (unsigned length = random() % 8 + 1; length > 0; --length)
      text += static_cast<char>(random());
    EXPECT_EQ(unspell(spellName(text)), text);
    EXPECT_EQ(unspell(spellString(text)), text);
  }
}

TEST(Spelling, ExcerptsCutBetweenCharacters) {
  EXPECT_EQ(excerpt("abcdef", 4), "abcd...");
  EXPECT_EQ(excerpt("abcö", 4), "abc...");
  EXPECT_EQ(excerpt("a\nb\x80", 40), "a?b?");
}

TEST(Spelling, InvalidUtf8) {
  EXPECT_FALSE(firstInvalidUtf8("aöθ\xF0\x9F\x99\x82"));
  EXPECT_EQ(firstInvalidUtf8("ab\xC0\x80"), 2u);       // overlong
  EXPECT_EQ(firstInvalidUtf8("\xED\xA0\x80"), 0u);     // surrogate
  EXPECT_EQ(firstInvalidUtf8("a\xE2\x82"), 1u);        // cut off
  EXPECT_EQ(firstInvalidUtf8("\xF4\x90\x80\x80"), 0u); // past U+10FFFF
}
