// Tests the reading of JSON: every kind of value, text that is no JSON, and unlimited depth.
#include "codegen/bundle/json_value.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

JsonDocument parsed(std::string_view text) {
  std::optional<JsonDocument> document = JsonDocument::parse(text);
  EXPECT_TRUE(document) << text;
  return document ? std::move(*document) : *JsonDocument::parse("null");
}

TEST(JsonValue, IsOfItsKindOnly) {
  const JsonDocument document = parsed(
      R"({"count":18446744073709551615,"negative":-3,"real":0.5,"text":"a\u00e9\n","truth":true,)"
      R"("null":null,"list":[],"object":{}})");
  const JsonValue root = document.root();
  EXPECT_EQ(root.member("count")->count(), UINT64_MAX);
  EXPECT_EQ(root.member("count")->integer(), std::nullopt) << "more than an int64_t holds";
  EXPECT_EQ(root.member("count")->number(), 18446744073709551616.0);
  EXPECT_EQ(root.member("negative")->count(), std::nullopt);
  EXPECT_EQ(root.member("negative")->integer(), -3);
  EXPECT_EQ(root.member("negative")->number(), -3.0);
  EXPECT_EQ(root.member("real")->integer(), std::nullopt);
  EXPECT_EQ(root.member("real")->number(), 0.5);
  EXPECT_EQ(root.member("text")->text(), "a\u00e9\n");
  EXPECT_EQ(root.member("truth")->truth(), true);
  for (const char *name : {"null", "list", "object"}) {
    const JsonValue value = *root.member(name);
    EXPECT_TRUE(!value.count() && !value.integer() && !value.number() && !value.text() &&
                !value.truth() && !value.has("text"))
        << name;
    EXPECT_EQ(value.isList(), std::string_view(name) == "list");
  }
  EXPECT_FALSE(root.has("tex")) << "a name is no start of one";
}

TEST(JsonValue, SkipsWhatIsInsideOthers) {
  const JsonDocument document = parsed(R"([[1,[2,3]],{"a":{"b":[4]},"b":5,"a":6},"b",7])");
  std::vector<JsonValue> items;
  document.root().forItems([&](const JsonValue &item) { items.push_back(item); });
  ASSERT_EQ(items.size(), 4u);
  std::vector<std::optional<uint64_t>> inside;
  items[0].forItems([&](const JsonValue &item) { inside.push_back(item.count()); });
  EXPECT_EQ(inside, (std::vector<std::optional<uint64_t>>{1, std::nullopt}));
  EXPECT_EQ(items[1].member("a")->count(), 6u) << "the last one of that name";
  EXPECT_EQ(items[1].member("b")->count(), 5u);
  EXPECT_EQ(items[2].text(), "b");
  EXPECT_EQ(items[3].count(), 7u);
  items[3].forItems([](const JsonValue &) { FAIL() << "a number has no items"; });
}

TEST(JsonValue, IsNoneWhereTheTextIsNoJson) {
  for (const char *text : {"", "[1,]", "{\"a\" 1}", "[1] 2", "1e999", "01", "\"\xff\"",
                           "\"\\ud800\"", "nul", "[1", "{\"a\":1", "'a'"})
    EXPECT_FALSE(JsonDocument::parse(text)) << text;
}

TEST(JsonValue, NestsAsDeepAsTheTextDoes) {
  constexpr size_t kDepth = 1 << 20;
  const JsonDocument document = parsed(std::string(kDepth, '[') + '5' + std::string(kDepth, ']'));
  JsonValue at = document.root();
  size_t depth = 0;
  for (; at.isList(); ++depth) {
    std::optional<JsonValue> inside;
    at.forItems([&](const JsonValue &item) { inside = item; });
    ASSERT_TRUE(inside);
    at = *inside;
  }
  EXPECT_EQ(depth, kDepth);
  EXPECT_EQ(at.count(), 5u);
  EXPECT_FALSE(JsonDocument::parse(std::string(kDepth, '[')));
}

} // namespace
} // namespace mpf
