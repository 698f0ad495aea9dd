#include "dsl/formats/bif/bif_reader.h"

#include "dsl/model/verify_model.h"

#include <gtest/gtest.h>

using namespace mpf;

namespace {

std::optional<Model> readText(std::string contents, std::string *messages = nullptr) {
  Diagnostics diagnostics;
  const auto buffer = std::make_shared<const SourceBuffer>("t.bif", std::move(contents));
  auto model = readBif(buffer, diagnostics);
  EXPECT_EQ(model.has_value(), !diagnostics.hasErrors());
  if (messages != nullptr)
    *messages = renderDiagnostics(diagnostics);
  else
    EXPECT_EQ(renderDiagnostics(diagnostics), "");
  if (model) {
    EXPECT_EQ(findModelFault(*model), "");
  }
  return model;
}

/// Returns a network with x of two states, y of three, z of two, followed by `block`.
std::string network(const std::string &block) {
  return R"(network small { property "ignored; all of it" ; }
    variable x { type discrete [ 2 ] { no, yes }; property position = (1, 2); }
    variable y { type discrete [ 3 ] { 6_0mmol, "a b", <5 }; } // names are not identifiers
    variable z { type discrete[2]{0 1}; }
    probability ( x ) { table 0.25, 0.75; }
    probability ( z ) { table 0.5 0.5; } /* no commas */
  )" + block;
}

std::vector<double> tableOf(const Model &model, const std::string &name) {
  for (const Factor &factor : model.factors)
    if (factor.name == name)
      return *factor.values;
  ADD_FAILURE() << "no factor " << name;
  return {};
}

} // namespace

TEST(BifReader, ReadsNamesStatesAndRows) {
  const auto model = readText(network(R"(
    probability ( y | x ) { (yes) 0.1, 0.2, 0.7; (no) 0.3, 0.3, 0.4; }
  )"));
  ASSERT_TRUE(model);
  EXPECT_EQ(model->name, "small");
  ASSERT_EQ(model->variables.size(), 3u);
  EXPECT_EQ(model->variables[0].labels, (std::vector<std::string>{"no", "yes"}));
  EXPECT_EQ(model->variables[1].labels, (std::vector<std::string>{"6_0mmol", "a b", "<5"}));
  EXPECT_EQ(model->variables[2].labels, std::vector<std::string>()) << "numbers as they are";
  EXPECT_EQ(model->variables[2].extent, 2u);
  ASSERT_EQ(model->factors.size(), 3u);
  EXPECT_EQ(model->factors[2].name, "P(y)");
  EXPECT_EQ(model->factors[2].scope, (std::vector<VarId>{VarId(0), VarId(1)}));
  EXPECT_TRUE(model->factors[2].conditional);
  EXPECT_EQ(tableOf(*model, "P(y)"), (std::vector<double>{0.3, 0.3, 0.4, 0.1, 0.2, 0.7}));
  ASSERT_EQ(model->queries.size(), 1u);
  EXPECT_EQ(model->queries[0].kind, QueryKind::Marginals);
}

/// The format's own example: P(light on | family out) is 0.6, P(light on | family in) 0.05.
TEST(BifReader, ATableListsTheChildSlowest) {
  const auto model = readText(R"(
    network "Dog-Problem" { }
    variable "light-on" { type discrete[2] { "true" "false" }; }
    variable "family-out" { type discrete[2] { "true" "false" }; }
    probability ( "light-on" | "family-out" ) { table 0.6 0.05 0.4 0.95 ; }
    probability ( "family-out" ) { table 0.15 0.85 ; }
  )");
  ASSERT_TRUE(model);
  EXPECT_EQ(model->name, "t") << "no plain name: that of the file";
  EXPECT_EQ(tableOf(*model, "P(light-on)"), (std::vector<double>{0.6, 0.4, 0.05, 0.95}));
}

TEST(BifReader, DefaultFillsTheRowsThatAreNotListed) {
  const auto model = readText(network(R"(
    probability ( y | x, z ) { default 0.2 0.3 0.5; (yes, 0) 1 0 0; }
  )"));
  ASSERT_TRUE(model);
  EXPECT_EQ(tableOf(*model, "P(y)"),
            (std::vector<double>{0.2, 0.3, 0.5, 0.2, 0.3, 0.5, 1, 0, 0, 0.2, 0.3, 0.5}));
}

TEST(BifReader, BlocksMayComeInAnyOrder) {
  const auto model = readText(R"(
    network unknown { }
    probability ( b | a ) { (s) 0.5, 0.5; (t) 1, 0; }
    variable a { type discrete [ 2 ] { s, t }; }
    probability ( a ) { table 1, 0; }
    variable b { type discrete [ 2 ] { s, t }; }
  )");
  ASSERT_TRUE(model);
  EXPECT_EQ(model->name, "t");
  EXPECT_EQ(tableOf(*model, "P(b)"), (std::vector<double>{0.5, 0.5, 1, 0}));
}

TEST(BifReader, RoughRowsAreTakenAndFarOnesAreErrors) {
  std::string messages;
  auto model = readText(network("probability ( y ) { table 0.333, 0.333, 0.333; }"), &messages);
  ASSERT_TRUE(model);
  EXPECT_NE(messages.find("warning: the table of P(y) sums to 0.999, not to 1, and is taken as"),
            std::string::npos)
      << messages;
  EXPECT_TRUE(model->factors[2].conditional);
  model = readText(network("probability ( y | x ) { (no) 1, 0, 0; (yes) 0.5, 0.5, 0.625; }"),
                   &messages);
  EXPECT_FALSE(model);
  EXPECT_NE(messages.find("error: row (yes) of P(y | ...) sums to 1.625, it must be 1"),
            std::string::npos)
      << messages;
}

TEST(BifReader, WhatIsNoNetworkIsWarnedOf) {
  std::string messages;
  ASSERT_TRUE(readText(network(""), &messages));
  EXPECT_NE(messages.find("t.bif:3:14: warning: 1 of 3 variables, y, has no conditional table"),
            std::string::npos)
      << messages;
}

/// A few words must not make a table of gigabytes.
TEST(BifReader, DefaultsAreBounded) {
  std::string text = "network n { }\n", scope;
  for (int i = 0; i < 30; ++i) {
    text += "variable v" + std::to_string(i) + " { type discrete [ 2 ] { a, b }; }\n";
    scope += (i == 0 ? "" : i == 1 ? " | " : ", ") + ("v" + std::to_string(i));
  }
  std::string messages;
  EXPECT_FALSE(readText(text + "probability ( " + scope + " ) { default 0.5, 0.5; }", &messages));
  EXPECT_NE(messages.find("the table of P(v0 | ...) needs 1073741824 entries, there is room for "),
            std::string::npos)
      << messages;
}
