#include "dsl/support/text/shown_text.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

namespace mpf {
namespace {

std::string utf8(uint32_t code) {
  const auto tail = [code](int shift) {
    return static_cast<char>(0x80 | ((code >> static_cast<unsigned>(shift)) & 0x3F));
  };
  if (code < 0x80)
    return {static_cast<char>(code)};
  if (code < 0x800)
    return {static_cast<char>(0xC0 | code >> 6), tail(0)};
  if (code < 0x10000)
    return {static_cast<char>(0xE0 | code >> 12), tail(6), tail(0)};
  return {static_cast<char>(0xF0 | code >> 18), tail(12), tail(6), tail(0)};
}

TEST(ShownText, ControlsAreThoseOfUnicode) {
  // The categories Cc, Zl and Zp, and the characters with the property Bidi_Control.
  size_t controls = 0;
  for (uint32_t code = 0; code < 0x110000; ++code) {
    const std::string text = utf8(code);
    const bool isSurrogate = code >= 0xD800 && code < 0xE000;
    ASSERT_EQ(utf8Length(text, 0), isSurrogate ? 0 : text.size()) << code;
    if (!isSurrogate && isControl(text, 0)) {
      ++controls;
      EXPECT_EQ(withoutControls(text), "?") << code;
    } else if (!isSurrogate) {
      EXPECT_EQ(withoutControls(text), text) << code;
    }
  }
  EXPECT_EQ(controls, 65u + 2 + 12);
  for (const uint32_t code : {0x00u, 0x1Bu, 0x7Fu, 0x80u, 0x9Bu, 0x9Fu, 0x61Cu, 0x200Eu, 0x200Fu,
                              0x2028u, 0x2029u, 0x202Au, 0x202Eu, 0x2066u, 0x2069u})
    EXPECT_TRUE(isControl(utf8(code), 0)) << code;
  EXPECT_EQ(withoutControls("a\tb\n\x1b[0m\x9b", "\t\n"), "a\tb\n?[0m?");
}

TEST(ShownText, AnyBytesBecomeTextWithoutControls) {
  std::mt19937 random(20261129);
  for (int trial = 0; trial < 20000; ++trial) {
    std::string bytes(random() % 12, '\0');
    for (char &byte : bytes)
      byte = static_cast<char>(random() % 2 == 0 ? random()
                                                 : "\xC2\x9B\xE2\x80\xAE\x1b"[random() % 6]);
    const std::string shown = withoutControls(bytes);
    for (size_t at = 0; at < shown.size(); at += utf8Length(shown, at))
      ASSERT_FALSE(isControl(shown, at)) << trial;
    EXPECT_EQ(withoutControls(shown), shown);
  }
}

} // namespace
} // namespace mpf
