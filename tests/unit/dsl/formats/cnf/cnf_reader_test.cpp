// Random formulas of all dialects: the sum over the factors that were read is the sum over the
// formula by its definition.
#include "dsl/formats/cnf/cnf_reader.h"

#include "dsl/model/verify_model.h"
#include "tests/support/trials.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <random>

using namespace mpf;

namespace {

constexpr int kMostVariables = 9;

struct CnfFormula {
  int variables = 0;
  std::vector<std::vector<int>> clauses;
  std::vector<double> weights; ///< by variable and state
};

int pickBelow(std::mt19937 &random, int below) {
  return static_cast<int>(random() % static_cast<unsigned>(below));
}

CnfFormula randomCnfFormula(std::mt19937 &random) {
  CnfFormula formula;
  formula.variables = 1 + pickBelow(random, kMostVariables);
  formula.weights.assign(static_cast<size_t>(formula.variables) * 2, 1);
  for (int clauses = pickBelow(random, 6); clauses > 0; --clauses) {
    std::vector<int> &clause = formula.clauses.emplace_back();
    const auto literal = [&random](int variable) {
      return pickBelow(random, 2) == 0 ? variable : -variable;
    };
    if (pickBelow(random, 8) == 0) // a wide clause: every variable
      for (int v = 1; v <= formula.variables; ++v)
        clause.push_back(literal(v));
    else
      for (int left = pickBelow(random, 5); left > 0; --left)
        clause.push_back(literal(1 + pickBelow(random, formula.variables)));
    if (clause.empty() && pickBelow(random, 4) != 0)
      clause.push_back(1);
  }
  return formula;
}

/// Gives the formula weights, and returns their lines in one of the dialects.
std::string randomCnfWeights(std::mt19937 &random, CnfFormula &formula, int dialect) {
  std::string text, all = "c weights";
  for (int v = 1; v <= formula.variables; ++v) {
    const int positive = pickBelow(random, 101),
              negative = dialect == 2 ? 100 - positive : pickBelow(random, 101);
    double *const weights = &formula.weights[static_cast<size_t>(v - 1) * 2];
    weights[1] = positive / 100.0;
    weights[0] = negative / 100.0;
    if (dialect == 1)
      text +=
          fmt::format("c p weight {} {}e-2 0\nc p weight -{} {}/100 0\n", v, positive, v, negative);
    else if (dialect == 2)
      text += fmt::format("w {} {}\n", v, weights[1]);
    else
      text += fmt::format("w -{} {}\nw {} {} 0\n", v, weights[0], v, weights[1]);
    all += fmt::format(" {} {}", weights[1], weights[0]);
  }
  return dialect == 4 ? all + "\n" : text;
}

std::string randomCnf(std::mt19937 &random, CnfFormula &formula) {
  const int dialect = pickBelow(random, 5); // 0: no weights
  const std::string weights = dialect == 0 ? "" : randomCnfWeights(random, formula, dialect);
  std::string text = fmt::format("c a formula\np {} {} {}\n", dialect == 3 ? "wcnf" : "cnf",
                                 formula.variables, formula.clauses.size());
  if (dialect == 1 || dialect == 4)
    text.insert(0, weights);
  else
    text += weights;
  for (const std::vector<int> &clause : formula.clauses) {
    for (const int literal : clause)
      text += fmt::format("{}{}", literal, pickBelow(random, 9) == 0 ? "\n" : " ");
    text += pickBelow(random, 3) == 0 ? "0 " : "0\r\nc\n";
  }
  return text + (pickBelow(random, 5) == 0 ? "\n%\n0\n" : "");
}

/// The sum over all assignments of the product of the weights, where all clauses are true.
double cnfSum(const CnfFormula &formula) {
  double sum = 0;
  for (int assignment = 0; assignment < 1 << formula.variables; ++assignment) {
    const auto isTrue = [&](int literal) {
      return ((assignment >> (std::abs(literal) - 1)) & 1) == (literal > 0 ? 1 : 0);
    };
    double product = 1;
    for (const std::vector<int> &clause : formula.clauses)
      product *= std::ranges::any_of(clause, isTrue) ? 1 : 0;
    for (int v = 0; v < formula.variables; ++v)
      product *= formula.weights[static_cast<size_t>(v * 2 + ((assignment >> v) & 1))];
    sum += product;
  }
  return sum;
}

/// The sum over all assignments of the variables from `first` on of the product of all factors.
double cnfSum(const Model &model, std::vector<uint32_t> &states, size_t first) {
  double sum = 0;
  if (first < model.variables.size()) {
    for (states[first] = 0; states[first] < 2; ++states[first])
      sum += cnfSum(model, states, first + 1);
    return sum;
  }
  double product = 1;
  for (const Factor &factor : model.factors) {
    size_t entry = 0;
    for (const VarId id : factor.scope)
      entry = entry * 2 + states[id.index()];
    product *= (*factor.values)[entry];
  }
  return product;
}

struct CnfReading {
  std::optional<Model> model;
  std::string messages;
};

CnfReading readCnfText(const std::string &text) {
  Diagnostics diagnostics;
  CnfReading reading{readCnf(std::make_shared<const SourceBuffer>("f.cnf", text), diagnostics), {}};
  reading.messages = renderDiagnostics(diagnostics);
  if (reading.model) {
    EXPECT_EQ(findModelFault(*reading.model), "") << text;
  }
  return reading;
}

} // namespace

TEST(CnfReader, SumsOfRandomFormulasAreTheirs) {
  uint64_t chains = 0;
  for (unsigned seed = 0; seed < trials(500U); ++seed) {
    std::mt19937 random(seed);
    CnfFormula formula = randomCnfFormula(random);
    const std::string text = randomCnf(random, formula);
    const CnfReading reading = readCnfText(text);
    ASSERT_TRUE(reading.model) << text << reading.messages;
    EXPECT_EQ(reading.messages, "") << text;
    chains += reading.model->variables.size() - static_cast<size_t>(formula.variables);
    std::vector<uint32_t> states(reading.model->variables.size(), 0);
    const double expected = cnfSum(formula), found = cnfSum(*reading.model, states, 0);
    ASSERT_NEAR(found, expected, 1e-12 * std::abs(expected)) << text;
  }
  EXPECT_GT(chains, trials(20U));
}

TEST(CnfReader, QueriesAreInTheTypeThatHoldsTheCount) {
  const auto typeOf = [](const std::string &text) {
    return readCnfText(text).model.value().queries.front().type;
  };
  EXPECT_EQ(typeOf("p cnf 63 0"), ElementType::U64);
  EXPECT_EQ(typeOf("p cnf 64 0"), ElementType::U128);
  EXPECT_EQ(typeOf("c p weight 1 5 0\nc p weight -1 0 0\np cnf 1 0"), ElementType::U128);
  EXPECT_EQ(typeOf("c p weight 1 0.5 0\nc p weight -1 0 0\np cnf 1 0"), std::nullopt);
  EXPECT_EQ(typeOf("c p weight 1 -5 0\nc p weight -1 0 0\np cnf 1 0"), std::nullopt);
}

TEST(CnfReader, AProjectionEliminatesTheOthers) {
  const Model model =
      readCnfText("p cnf 4 2\nc p show 1 0\nc p show 3 0\n1 2 0\n-2 3 0\n").model.value();
  const Query &query = model.queries.front();
  ASSERT_EQ(query.reductions.size(), 1u);
  EXPECT_EQ(query.reductions[0].reduce, Reduce::Sum);
  EXPECT_EQ(query.reductions[0].variables, (std::vector<VarId>{VarId(0), VarId(2)}));
  ASSERT_EQ(query.factors, std::vector<FactorId>{FactorId(2)});
  EXPECT_EQ(*model.factors[2].values, (std::vector<double>{0, 1, 1, 1})); // x1 or x3
}

/// Too many neighbours for a table: the query keeps the maximum.
TEST(CnfReader, AProjectionMaximisesOverVariablesWithManyNeighbours) {
  std::string text = "p cnf 18 17\nc p show";
  for (int v = 1; v <= 17; ++v)
    text += fmt::format(" {}", v);
  text += " 0\n";
  for (int v = 1; v <= 17; ++v)
    text += fmt::format("{} {}18 0\n", v, v % 2 == 0 ? "-" : "");
  const Model model = readCnfText(text).model.value();
  const Query &query = model.queries.front();
  ASSERT_EQ(query.reductions.size(), 2u);
  EXPECT_EQ(query.reductions[1].reduce, Reduce::Max);
  EXPECT_EQ(query.reductions[1].variables, std::vector<VarId>{VarId(17)});
  EXPECT_EQ(query.factors.size(), model.factors.size());
}

TEST(CnfReader, WideClausesTakeLinearMemory) {
  std::string text = "p cnf 1000 1\n";
  for (int v = 1; v <= 1000; ++v)
    text += fmt::format("{} ", v);
  const Model model = readCnfText(text + "0\n").model.value();
  size_t entries = 0;
  for (const Factor &factor : model.factors)
    entries += factor.values->size();
  EXPECT_EQ(entries, 8u * 998);
}

/// Weights beyond doubles keep their digits.
TEST(CnfReader, WeightsOfAnyMagnitude) {
  const Model model =
      readCnfText("p cnf 1 0\nc p weight 1 1e-400 0\nc p weight -1 2 0\n").model.value();
  const StoredValues values(*model.factors.front().wide, 2);
  EXPECT_NEAR(values.at(1).log10(), -400, 1e-12);
  EXPECT_EQ(values.at(0).value(), 2);
}

TEST(CnfReader, LinesForCountersAreToldFromSentences) {
  EXPECT_EQ(readCnfText("c p cnf 9 9\nc t this is a comment\nc weights of all\nc\ncc\np cnf 1 0")
                .messages,
            "");
  EXPECT_TRUE(startsAsCnf("c a\nc\n\np  cnf 1 1"));
  EXPECT_FALSE(startsAsCnf("p edge 1 1"));
  EXPECT_FALSE(startsAsCnf("cnf"));
}
