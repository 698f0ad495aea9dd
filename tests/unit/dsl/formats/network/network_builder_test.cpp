#include "dsl/formats/network/network_builder.h"

#include "dsl/formats/network/conditional_table.h"
#include "dsl/model/verify_model.h"

#include <gtest/gtest.h>

using namespace mpf;

namespace {

/// A text for tests that name its words. The place of a word is its first occurrence.
class NetworkBuilderTest : public ::testing::Test {
protected:
  void start(std::string text, const ModelLimits &limits = {}) {
    text_ = std::make_shared<const SourceBuffer>("n.net", std::move(text));
    network_ = std::make_unique<NetworkBuilder>(text_, diagnostics_, limits);
  }
  PlacedText word(std::string_view text, size_t from = 0) const {
    const size_t at = text_->text().find(text, from);
    EXPECT_NE(at, std::string_view::npos) << text;
    return {text_->text().substr(at, text.size()),
            {static_cast<uint32_t>(at), static_cast<uint32_t>(at + text.size())}};
  }
  bool variable(std::string_view name, const std::vector<std::string_view> &states) {
    auto variable = network_->startVariable(word(name));
    if (!variable)
      return false;
    for (const std::string_view state : states)
      if (!network_->addState(*variable, {state, word(name).range}))
        return false;
    return network_->addVariable(std::move(*variable));
  }
  bool table(std::string_view child, const std::vector<std::string_view> &parents,
             const std::vector<double> &rows) {
    ConditionalTable table(*network_);
    if (!table.setChild(word(child)))
      return false;
    for (const std::string_view parent : parents)
      if (!table.addParent(word(parent)))
        return false;
    if (!table.allocate(word(child).range, rows.size()))
      return false;
    table.setTable({rows, {}});
    return table.finish();
  }
  std::optional<Model> finish(NetworkCheck check = NetworkCheck::Here) {
    auto model = network_->finish(QueryKind::Marginals, check);
    EXPECT_EQ(model.has_value(), !diagnostics_.hasErrors());
    if (model) {
      EXPECT_EQ(findModelFault(*model), "");
    }
    return model;
  }
  /// "line:column: error: message", without source lines.
  std::string messages() const {
    std::string text;
    for (const Diagnostic &diagnostic : diagnostics_.all()) {
      const std::string shown = renderDiagnostic(diagnostic);
      text += shown.substr(6, shown.find('\n') - 5);
      if (!diagnostic.hint.empty())
        text += diagnostic.hint + "\n";
    }
    return text;
  }

  Diagnostics diagnostics_;
  std::shared_ptr<const SourceBuffer> text_;
  std::unique_ptr<NetworkBuilder> network_;
};

} // namespace

TEST_F(NetworkBuilderTest, BuildsTheModelThatItIsTold) {
  start("rain wet");
  EXPECT_TRUE(variable("rain", {"no", "yes"}));
  EXPECT_TRUE(variable("wet", {"0", "1", "2"}));
  EXPECT_TRUE(table("rain", {}, {0.25, 0.75}));
  EXPECT_TRUE(table("wet", {"rain"}, {0.5, 0.25, 0.25, 0.3, 0.3, 0.399}));
  const FactorId extra = network_->addFactor("f2", {VarId(1), VarId(0)});
  network_->setValues(extra, std::vector<double>{1, -2, 3, 4, 5, 6}, {});
  const auto model = finish();
  ASSERT_TRUE(model);
  EXPECT_EQ(messages(), "1:6: warning: row (yes) of P(wet | ...) sums to 0.999, not to 1, and is "
                        "taken as it is\n--normalise divides each row by its sum\n");
  EXPECT_EQ(model->name, "n") << "that of the file";
  EXPECT_EQ(model->variables[0].labels, (std::vector<std::string>{"no", "yes"}));
  EXPECT_TRUE(model->variables[1].labels.empty()) << "numbers as they are";
  EXPECT_EQ(model->variables[1].extent, 3u);
  ASSERT_EQ(model->factors.size(), 3u);
  EXPECT_EQ(model->factors[0].name, "P(rain)");
  EXPECT_TRUE(model->factors[0].conditional);
  EXPECT_EQ(model->factors[1].scope, (std::vector{VarId(0), VarId(1)}));
  EXPECT_TRUE(model->factors[1].conditional) << "a row sums to 0.999";
  EXPECT_EQ(*model->factors[2].values, (std::vector<double>{1, -2, 3, 4, 5, 6}));
  EXPECT_EQ(model->queries[0].kind, QueryKind::Marginals);
  EXPECT_EQ(model->queries[0].factors.size(), 3u);
}

TEST_F(NetworkBuilderTest, VariablesHaveNamesAndStatesOnce) {
  start("a b\nc");
  EXPECT_TRUE(variable("a", {"x"}));
  EXPECT_FALSE(variable("a", {"x"}));
  EXPECT_FALSE(variable("b", {"x", "x"}));
  EXPECT_FALSE(variable("c", {}));
  EXPECT_FALSE(finish());
  EXPECT_EQ(messages(), "1:1: error: 'a' is declared twice\n"
                        "1:1: note: the first declaration is here\n"
                        "1:3: error: 'b' has the state 'x' twice\n"
                        "2:1: error: 'c' has no states\n");
}

TEST_F(NetworkBuilderTest, LimitsHold) {
  ModelLimits limits;
  limits.maxVariables = 3;
  limits.maxExtent = 2;
  limits.maxScope = 2;
  limits.maxTotalElems = 6;
  start("a b c d", limits);
  EXPECT_FALSE(variable("d", {"x", "y", "z"}));
  EXPECT_TRUE(variable("a", {"x", "y"}));
  EXPECT_TRUE(variable("b", {"x", "y"}));
  EXPECT_TRUE(variable("c", {"x", "y"}));
  EXPECT_FALSE(variable("d", {"x", "y"}));
  EXPECT_TRUE(table("a", {"b"}, {1, 0, 1, 0}));
  EXPECT_FALSE(table("b", {"a", "c"}, {}));
  EXPECT_FALSE(table("c", {"a"}, {1, 0, 1, 0}));
  EXPECT_EQ(messages(),
            "1:7: error: 'd' has more than 2 states, the limit\n"
            "1:7: error: the file has more than 3 variables, the limit\n"
            "1:5: error: the block has more than 2 variables, the limit\n"
            "1:5: error: the table of P(c | ...) needs 4 entries, there is room for 2\n");
}

TEST_F(NetworkBuilderTest, NamesInTablesAreKnownAndThereOnce) {
  start("rain wet rian noise");
  EXPECT_TRUE(variable("rain", {"no", "yes"}));
  EXPECT_TRUE(variable("wet", {"no", "yes"}));
  EXPECT_FALSE(table("rian", {}, {}));
  EXPECT_FALSE(table("wet", {"rain", "rain"}, {}));
  EXPECT_FALSE(table("wet", {}, {1, 0}));
  EXPECT_FALSE(table("rain", {"rain"}, {}));
  EXPECT_EQ(network_->findState(VarId(0), {"yes", {}}), 1u);
  EXPECT_FALSE(network_->findState(VarId(0), {"yse", word("noise").range}));
  network_->markIncomplete();
  EXPECT_FALSE(network_->findVariable(word("noise"))) << "and says nothing";
  EXPECT_EQ(messages(), "1:10: error: no variable is called 'rian'\n"
                        "did you mean 'rain'?\n"
                        "1:1: error: 'rain' stands twice in its conditional table\n"
                        "1:6: error: 'wet' has a second conditional table\n"
                        "1:6: note: the first one is here\n"
                        "1:1: error: 'rain' stands twice in its conditional table\n"
                        "1:15: error: 'yse' is no state of 'rain', which has 2\n"
                        "did you mean 'yes'?\n");
}

TEST_F(NetworkBuilderTest, RowsComeOnceAndAreAllThere) {
  start("rain wet 0.5 half -1 inf");
  EXPECT_TRUE(variable("rain", {"no", "yes"}));
  EXPECT_TRUE(variable("wet", {"no", "yes"}));
  ConditionalTable rows(*network_);
  ASSERT_TRUE(rows.setChild(word("wet")) && rows.addParent(word("rain")));
  ASSERT_TRUE(rows.allocate(word("wet").range, 4));
  ReadNumbers numbers;
  EXPECT_TRUE(rows.takeNumber(word("0.5"), "the table", 4, numbers));
  EXPECT_FALSE(rows.takeNumber(word("half"), "the table", 4, numbers));
  EXPECT_FALSE(rows.takeNumber(word("inf"), "the table", 4, numbers));
  EXPECT_FALSE(rows.takeNumber(word("-1"), NumbersOf(uint64_t{1}), 2, numbers));
  EXPECT_EQ(numbers.values, std::vector<double>{0.5});
  EXPECT_FALSE(rows.checkCount(word("half").range, NumbersOf(uint64_t{1}), 2, numbers));
  const ReadNumbers row{{0.5, 0.5}, {}};
  EXPECT_TRUE(rows.setRow(word("0.5").range, 0, row));
  EXPECT_FALSE(rows.setRow(word("0.5").range, 0, row));
  EXPECT_FALSE(rows.finish());
  ConditionalTable none(*network_);
  ASSERT_TRUE(none.setChild(word("rain")) && none.allocate(word("rain").range, 2));
  EXPECT_FALSE(none.finish());
  EXPECT_EQ(messages(), "1:14: error: expected number 2 of the 4 of the table, found 'half'\n"
                        "1:22: error: expected number 2 of the 4 of the table, found 'inf'\n"
                        "1:19: error: row (yes) has the negative probability -1\n"
                        "1:14: error: row (yes) has 1 numbers, P(wet | ...) needs 2 there\n"
                        "1:10: error: row (no) of P(wet | ...) is given twice\n"
                        "1:6: error: P(wet | ...) lacks 1 of its 2 rows, first (yes)\n"
                        "1:1: error: P(rain) lacks 1 of its 1 rows, first its table\n");
}

TEST_F(NetworkBuilderTest, TheChildMayBeSlowestAndADefaultFills) {
  start("a b c");
  EXPECT_TRUE(variable("a", {"x", "y"}) && variable("b", {"x", "y"}) && variable("c", {"x", "y"}));
  ConditionalTable slowest(*network_);
  ASSERT_TRUE(slowest.setChild(word("a")) && slowest.addParent(word("b")));
  ASSERT_TRUE(slowest.allocate(word("a").range, 4));
  slowest.setTableChildSlowest({{0.1, 0.2, 0.9, 0.8}, {}});
  EXPECT_TRUE(slowest.finish());
  ConditionalTable filled(*network_);
  ASSERT_TRUE(filled.setChild(word("b")) && filled.addParent(word("c")));
  ASSERT_TRUE(filled.allocate(word("b").range, 2));
  EXPECT_TRUE(filled.setRow(word("b").range, 1, {{1, 0}, {}}));
  filled.setDefault({{0.5, 0.5}, {}});
  EXPECT_TRUE(filled.finish());
  const auto model = finish(NetworkCheck::ByCaller);
  ASSERT_TRUE(model);
  EXPECT_EQ(messages(), "") << "the caller says that c has no table";
  EXPECT_EQ(*model->factors[0].values, (std::vector<double>{0.1, 0.9, 0.2, 0.8}));
  EXPECT_EQ(*model->factors[1].values, (std::vector<double>{0.5, 0.5, 1, 0}));
}

TEST_F(NetworkBuilderTest, WarnsOfWhatIsNoNetwork) {
  start("a b");
  network_->setName("mine");
  network_->addNumberedVariable(2, word("a").range, 0);
  network_->addNumberedVariable(2, word("b").range, 1);
  EXPECT_FALSE(network_->hasTable(VarId(1)));
  EXPECT_TRUE(network_->claimTable(VarId(1), word("b").range));
  EXPECT_TRUE(network_->hasTable(VarId(1)));
  network_->takeFarRows("write MARKOV");
  const FactorId table = network_->addConditional({VarId(0), VarId(1)});
  network_->setValues(table, std::vector<double>{0.5, 0.6, 0, 0}, {});
  const auto model = finish();
  ASSERT_TRUE(model);
  EXPECT_EQ(model->name, "mine");
  EXPECT_FALSE(model->factors[0].conditional);
  EXPECT_EQ(messages(),
            "1:3: warning: 2 rows of conditional tables do not sum to 1 and are taken as they are; "
            "the worst, row (1) of P(x1 | ...), sums to 0\nwrite MARKOV; --normalise divides each "
            "row by its sum\n"
            "1:1: warning: 1 of 2 variables, x0, has no conditional table as the others have: "
            "answers are of an unnormalised product\n");
}
