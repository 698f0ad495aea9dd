// Random cost functions in both formats: the optimum over the factors that were read is that of the
// functions by their definition.
#include "dsl/formats/costs/cfn_reader.h"
#include "dsl/formats/costs/wcsp_reader.h"
#include "dsl/model/verify_model.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace mpf;

namespace {

using Tuple = std::vector<uint32_t>;

constexpr int kInfinite = 1 << 20; ///< spelled `inf`

struct CostTable {
  std::vector<size_t> scope;
  bool isSparse = false;
  int others = 0;             ///< sparse: the cost of other tuples
  std::map<Tuple, int> costs; ///< in hundredths
};

struct CostProblem {
  std::vector<uint32_t> sizes;
  std::vector<CostTable> tables;
  int bound = 0;
  bool maximises = false;
};

int below(std::mt19937 &random, int limit) {
  return static_cast<int>(random() % static_cast<unsigned>(limit));
}

/// Goes to the next tuple over variables of these sizes; false after the last one.
bool nextTuple(Tuple &tuple, const std::vector<uint32_t> &sizes) {
  for (size_t i = tuple.size(); i-- > 0;) {
    if (++tuple[i] < sizes[i])
      return true;
    tuple[i] = 0;
  }
  return false;
}

std::vector<uint32_t> sizesOf(const CostProblem &problem, const CostTable &table) {
  std::vector<uint32_t> sizes;
  for (const size_t variable : table.scope)
    sizes.push_back(problem.sizes[variable]);
  return sizes;
}

/// A problem with costs of `least` and more. Some are at the bound, and some infinite if
/// `hasInfinite`.
CostProblem randomProblem(std::mt19937 &random, int least, bool mayMaximise, bool hasInfinite) {
  CostProblem problem;
  problem.maximises = mayMaximise && below(random, 2) == 0;
  problem.bound = problem.maximises ? -900 : 900;
  for (int variables = 1 + below(random, 5); variables > 0; --variables)
    problem.sizes.push_back(static_cast<uint32_t>(1 + below(random, 4)));
  for (int tables = below(random, 7); tables > 0; --tables) {
    CostTable &table = problem.tables.emplace_back();
    for (size_t i = 0; i < problem.sizes.size(); ++i)
      if (below(random, 2) == 0)
        table.scope.push_back(i);
    std::ranges::shuffle(table.scope, random);
    const auto cost = [&] {
      const int kind = below(random, 12);
      return kind == 0                  ? problem.bound
             : kind == 1 && hasInfinite ? kInfinite
                                        : least + below(random, 500 - least);
    };
    table.isSparse = below(random, 2) == 0 && !table.scope.empty();
    table.others = cost();
    Tuple tuple(table.scope.size(), 0);
    do
      if (!table.isSparse || below(random, 2) == 0)
        table.costs[tuple] = cost();
    while (nextTuple(tuple, sizesOf(problem, table)));
  }
  return problem;
}

/// The cost of an assignment; nothing if a function forbids it.
std::optional<int> costOf(const CostProblem &problem, const Tuple &states) {
  int sum = 0;
  for (const CostTable &table : problem.tables) {
    Tuple tuple;
    for (const size_t variable : table.scope)
      tuple.push_back(states[variable]);
    const auto found = table.costs.find(tuple);
    const int cost = found == table.costs.end() ? table.others : found->second;
    if (cost == kInfinite)
      return std::nullopt;
    sum += cost;
  }
  return sum;
}

/// The optimum within the bound; nothing if there is no solution.
std::optional<int> optimumOf(const CostProblem &problem) {
  const int sign = problem.maximises ? -1 : 1;
  int best = sign * problem.bound;
  Tuple states(problem.sizes.size(), 0);
  do
    if (const std::optional<int> cost = costOf(problem, states))
      best = std::min(best, sign * *cost);
  while (nextTuple(states, problem.sizes));
  return best < sign * problem.bound ? std::optional(sign * best) : std::nullopt;
}

double optimumOf(const Model &model) {
  const Query &query = model.queries.front();
  EXPECT_EQ(query.kind, QueryKind::Optimum);
  const double sign = query.reductions.front().reduce == Reduce::Max ? -1 : 1;
  double best = INFINITY;
  std::vector<uint32_t> sizes;
  for (const Variable &variable : model.variables)
    sizes.push_back(variable.extent);
  Tuple states(sizes.size(), 0);
  do {
    double sum = 0;
    for (const Factor &factor : model.factors) {
      size_t entry = 0;
      for (const VarId id : factor.scope)
        entry = entry * sizes[id.index()] + states[id.index()];
      sum += (*factor.values)[entry];
    }
    best = std::min(best, sign * sum);
  } while (nextTuple(states, sizes));
  return sign * best;
}

std::string wcspText(const CostProblem &problem) {
  std::string text = fmt::format("random {} 4 {} {}\n", problem.sizes.size(), problem.tables.size(),
                                 problem.bound);
  for (const uint32_t size : problem.sizes)
    text += fmt::format("{} ", size);
  for (const CostTable &table : problem.tables) {
    text += fmt::format("\n{}", table.scope.size());
    for (const size_t variable : table.scope)
      text += fmt::format(" {}", variable);
    text += fmt::format(" {} {}\n", table.others, table.costs.size());
    for (const auto &[tuple, cost] : table.costs) {
      for (const uint32_t state : tuple)
        text += fmt::format("{} ", state);
      text += fmt::format("{}\n", cost);
    }
  }
  return text;
}

std::string costText(int cost) {
  return cost == kInfinite ? "inf"
                           : fmt::format("{}{}.{:02}", cost < 0 ? "-" : "", std::abs(cost) / 100,
                                         std::abs(cost) % 100);
}

std::string cfnText(std::mt19937 &random, const CostProblem &problem) {
  const std::string_view separator = below(random, 2) == 0 ? ", " : " ";
  std::string text = "# a comment\n{problem: {name: \"random\", mustbe: \"";
  text += (problem.maximises ? ">" : "<") + fmt::format("{}.00", problem.bound / 100);
  text += "\"}\nvariables: {";
  for (size_t i = 0; i < problem.sizes.size(); ++i) {
    text += fmt::format("\"v{}\": ", i);
    if (i % 2 == 1) {
      text += fmt::format("{}{}", problem.sizes[i], separator);
      continue;
    }
    text += "[";
    for (uint32_t state = 0; state < problem.sizes[i]; ++state)
      text += fmt::format("s{}{}", state, separator);
    text += "]";
  }
  text += "}\nfunctions: [\n";
  for (const CostTable &table : problem.tables) {
    text += fmt::format("{}{{scope: [", below(random, 3) == 0 ? "" : "\"same name\": ");
    for (const size_t variable : table.scope)
      text += fmt::format("{}{}{}", below(random, 2) == 0 ? "v" : "", variable, separator);
    text += "]";
    if (table.isSparse)
      text += " defaultcost: " + costText(table.others);
    text += separator;
    text += "costs: [";
    for (const auto &[tuple, cost] : table.costs) {
      for (size_t i = 0; table.isSparse && i < tuple.size(); ++i)
        text += fmt::format("{}{}{}", table.scope[i] % 2 == 0 && below(random, 2) == 0 ? "s" : "",
                            tuple[i], separator);
      text += costText(cost) + std::string(separator);
    }
    text += "]}\n";
  }
  return text + "]}\n";
}

template <class Read> Model readCosts(Read read, const std::string &text) {
  Diagnostics diagnostics;
  std::optional<Model> model =
      read(std::make_shared<const SourceBuffer>("m", text), diagnostics, {});
  EXPECT_TRUE(model && diagnostics.all().empty()) << text << renderDiagnostics(diagnostics);
  if (!model)
    return {};
  EXPECT_EQ(findModelFault(*model), "") << text;
  return std::move(*model);
}

void expectOptimum(const CostProblem &problem, const Model &model, double scale,
                   const std::string &text) {
  const double found = optimumOf(model), bound = problem.bound * scale;
  if (const std::optional<int> optimum = optimumOf(problem))
    EXPECT_NEAR(found, *optimum * scale, 1e-9) << text;
  else if (problem.maximises)
    EXPECT_LE(found, bound) << text;
  else
    EXPECT_GE(found, bound) << text;
}

} // namespace

TEST(CostReaders, OptimaOfRandomWcspAreTheirs) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    const CostProblem problem = randomProblem(random, 0, false, false);
    const std::string text = wcspText(problem);
    expectOptimum(problem, readCosts(readWcsp, text), 1, text);
  }
}

TEST(CostReaders, OptimaOfRandomCfnAreTheirs) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    const CostProblem problem = randomProblem(random, -300, true, true);
    const std::string text = cfnText(random, problem);
    expectOptimum(problem, readCosts(readCfn, text), 0.01, text);
  }
}

TEST(CostReaders, SharedTablesAreOne) {
  const Model wcsp = readCosts(readWcsp, "s 3 2 3 9\n2 2 2\n-2 0 1 5 1\n0 1 2\n2 1 2 7 -1\n"
                                         "2 2 0 0 -1\n");
  EXPECT_EQ(*wcsp.factors[0].values, (std::vector<double>{5, 2, 5, 5}));
  EXPECT_EQ(wcsp.factors[1].values, wcsp.factors[0].values);
  EXPECT_EQ(wcsp.factors[2].values, wcsp.factors[0].values);
  const Model cfn = readCosts(
      readCfn, "{problem {name s mustbe <9} variables {x 2 y 2} functions {f {scope [x y] costs "
               "[1 2 3 4]} g {scope [y x] costs f}}}");
  EXPECT_EQ(cfn.factors[1].values, cfn.factors[0].values);
}

TEST(CostReaders, TheirStartsAreTold) {
  EXPECT_TRUE(startsAsWcsp("a 1 2 3 4\n"));
  EXPECT_FALSE(startsAsWcsp("1 1 2 3 4\n"));
  EXPECT_FALSE(startsAsWcsp("MARKOV 1 2 3 4\n"));
  EXPECT_FALSE(startsAsWcsp("a 1 2 3\n4"));
  EXPECT_TRUE(startsAsCfn("# c\n{ \"problem\""));
  EXPECT_TRUE(startsAsCfn("[problem"));
  EXPECT_FALSE(startsAsCfn("{\"inputs\""));
}
