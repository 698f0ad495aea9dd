#include "dsl/formats/network/model_name.h"
#include "dsl/formats/uai/uai_reader.h"

#include "dsl/model/verify_model.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace mpf;

namespace {

std::shared_ptr<const SourceBuffer> text(std::string contents) {
  return std::make_shared<const SourceBuffer>("t.uai", std::move(contents));
}

std::optional<Model> read(std::string contents, std::string *messages = nullptr) {
  Diagnostics diagnostics;
  auto model = readUai(text(std::move(contents)), diagnostics);
  EXPECT_EQ(model.has_value(), !diagnostics.hasErrors());
  if (messages)
    *messages = renderDiagnostics(diagnostics);
  if (model) {
    EXPECT_EQ(findModelFault(*model), "");
  }
  return model;
}

} // namespace

TEST(UaiReader, ReadsNamesScopesAndValues) {
  const auto model = read("MARKOV\n3\n2 1 3\n3\n2 0 2\n1 1\n0\n6 1 2 3 -4 .5 1e-05\n1 7\n1 0.25\n");
  ASSERT_TRUE(model);
  EXPECT_EQ(model->name, "t");
  ASSERT_EQ(model->variables.size(), 3u);
  EXPECT_EQ(model->variables[2].name, "x2");
  EXPECT_EQ(model->variables[2].extent, 3u);
  ASSERT_EQ(model->factors.size(), 3u);
  EXPECT_EQ(model->factors[0].name, "f0");
  EXPECT_EQ(model->factors[0].scope, (std::vector{VarId(0), VarId(2)}));
  EXPECT_EQ(*model->factors[0].values, (std::vector<double>{1, 2, 3, -4, .5, 1e-05}));
  EXPECT_TRUE(model->factors[2].scope.empty());
  EXPECT_EQ(*model->factors[2].values, std::vector<double>{0.25});
  ASSERT_EQ(model->queries.size(), 1u);
  EXPECT_EQ(model->queries[0].kind, QueryKind::Evidence);
  EXPECT_EQ(model->queries[0].factors.size(), 3u);
}

TEST(UaiReader, BayesTablesAreKnownByTheChild) {
  const auto model = read("BAYES 3 2 2 2 4 1 0 1 1 3 0 1 2 1 2"
                          " 2 .5 .5 2 .5 .5 8 1 0 1 0 1 0 0 1 2 .1 .8");
  ASSERT_TRUE(model);
  EXPECT_EQ(model->factors[0].name, "P(x0)");
  EXPECT_EQ(model->factors[2].name, "P(x2)");
  EXPECT_TRUE(model->factors[2].conditional);
  EXPECT_EQ(model->factors[3].name, "f3") << "x2 has a table already";
  EXPECT_FALSE(model->factors[3].conditional);
  EXPECT_EQ(model->factors[0].values, model->factors[1].values) << "equal tables are shared";
  EXPECT_FALSE(read("BAYES 1 2 1 1 0 2 .5 .4")->factors[0].conditional) << "its row sums to 0.9";
}

TEST(UaiReader, NothingToReadIsAModel) {
  const auto model = read("MARKOV 0 0");
  ASSERT_TRUE(model);
  EXPECT_TRUE(model->queries[0].factors.empty());
}

TEST(UaiReader, AllErrorsInOneRun) {
  std::string messages;
  EXPECT_FALSE(read("MARKOV\n2\n2 0\n2\n1 5\n2 0 0\n2 1 x\n4 nan 1 1 1\n", &messages));
  for (const char *part :
       {"t.uai:3:3: error: the extent of variable 1 is 0",
        "t.uai:5:3: error: factor 0 names variable 5", "t.uai:7:5: error: expected entry 1",
        "t.uai:8:3: error: entry 0 of factor 1 is nan"})
    EXPECT_NE(messages.find(part), std::string::npos) << part << "\n" << messages;
}

TEST(UaiReader, CountsAreHeldAgainstTheText) {
  std::string messages;
  EXPECT_FALSE(read("MARKOV 1000000000000 2 2", &messages));
  EXPECT_NE(messages.find("is 1000000000000, the rest of the file has room for at most 2 numbers"),
            std::string::npos)
      << messages;
}

TEST(UaiReader, NumbersThatNoDoubleHoldsAreKept) {
  std::string messages;
  const auto model = read("MARKOV 1 2 1 1 0 2 1e-400 -1e-999", &messages);
  ASSERT_TRUE(model);
  EXPECT_EQ(messages, "");
  const Factor &factor = model->factors[0];
  EXPECT_EQ(factor.values, nullptr);
  EXPECT_EQ(*factor.wide,
            (std::vector<double>{1.1718289888396993, -1.3138797184561042, -1329, -3319}));
  EXPECT_TRUE(mayBeNegative(factor));
  EXPECT_EQ(factor.negativePlace.range.begin, 26u);
}

TEST(UaiReader, ModelNameIsAnIdentifier) {
  EXPECT_EQ(modelNameFor("data/90-10-1.uai.xz"), "m90_10_1");
  EXPECT_EQ(modelNameFor("alarm.uai"), "alarm");
}
