// Words and figures for users, and text that any terminal and browser can show.
#include "tools/mpfc/explain/facts/facts.h"
#include "tools/mpfc/explain/html/html_text.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

TEST(Facts, TimesHaveThreeDigitsAndAUnit) {
  EXPECT_EQ(formatTime(0), "0");
  EXPECT_EQ(formatTime(0.0005), "0.50 ns");
  EXPECT_EQ(formatTime(3.7), "3.70 us");
  EXPECT_EQ(formatTime(42'300), "42.3 ms");
  EXPECT_EQ(formatTime(999'600), "1000 ms");
  EXPECT_EQ(formatTime(9.1e7), "1.52 min");
  EXPECT_EQ(formatTime(7.3e13), "2.31 years");
  EXPECT_EQ(formatTime(1e40), "3.2e+26 years");
}

TEST(Facts, CountsPassAnyIntegerType) {
  EXPECT_EQ(formatCount(393216), "393216");
  EXPECT_EQ(formatCount(6291456), "6.29 M");
  EXPECT_EQ(formatCount(1.05e9), "1.05 G");
  EXPECT_EQ(formatCount(0x1p70), "2^70.00");
  EXPECT_EQ(formatShare(0.00003), "<0.01 %");
  EXPECT_EQ(formatShare(0.2345), "23 %");
  EXPECT_EQ(formatShare(0), "0 %");
}

TEST(Facts, BrokenTextIsReplacedAndWholeTextKept) {
  const std::string replacement = "\xEF\xBF\xBD";
  EXPECT_EQ(displayText("P(x|y) \xE6\x9C\xA8 \xF0\x9F\x98\x80"),
            "P(x|y) \xE6\x9C\xA8 \xF0\x9F\x98\x80");
  EXPECT_EQ(displayText("\xFFz"), replacement + "z");
  EXPECT_EQ(displayText("\xC0\x80"), replacement + replacement);                   // overlong
  EXPECT_EQ(displayText("\xED\xA0\x80"), replacement + replacement + replacement); // surrogate
  EXPECT_EQ(displayText("\xF4\x90\x80\x80").size(), 4 * replacement.size());       // above U+10FFFF
  EXPECT_EQ(displayText("\xE6\x9C"), replacement + replacement);                   // cut short
  EXPECT_EQ(displayText("a\x1B[31m\x7F\xC2\x85"),
            "a" + replacement + "[31m" + replacement + replacement);
  EXPECT_EQ(displayText("a\xE2\x80\xAE"
                        "b"),
            "a" + replacement + "b"); // right-to-left override
  for (const char *isolate : {"\xE2\x81\xA6", "\xE2\x81\xA9"})
    EXPECT_EQ(displayText(isolate), replacement);
  EXPECT_EQ(displayText("\xE2\x81\xAA"), "\xE2\x81\xAA");
}

TEST(Facts, ElidingCutsBetweenCodePoints) {
  EXPECT_EQ(elided("abcdef", 6), "abcdef");
  EXPECT_EQ(elided("abcdefg", 6), "abcde\xE2\x80\xA6");
  EXPECT_EQ(elided("\xE6\x9C\xA8\xE6\x9C\xA8\xE6\x9C\xA8", 2), "\xE6\x9C\xA8\xE2\x80\xA6");
  EXPECT_EQ(elided("", 1), "");
}

TEST(HtmlText, EscapesEverythingThatMarksUp) {
  EXPECT_EQ(escapedHtml("<a href=\"x\">&'</a>"),
            "&lt;a href=&quot;x&quot;&gt;&amp;&#39;&lt;/a&gt;");
  EXPECT_EQ(escapedHtml("two\nlines\n"), "two\nlines\n");
  EXPECT_EQ(escapedHtml("\r\x01"), "\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(HtmlText, TemplatesAreFilledOnce) {
  EXPECT_EQ(filledTemplate("a {{b}} c{{d}}", {{"b", "{{d}}"}, {"d", "4"}}), "a {{d}} c4");
  EXPECT_EQ(svgNumber(-0.01), "0");
  EXPECT_EQ(svgNumber(12.345), "12.3");
}

} // namespace
} // namespace mpf
