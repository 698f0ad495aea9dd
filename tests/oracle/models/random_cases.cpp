#include "tests/oracle/models/random_cases.h"

#include "tests/oracle/models/random_models.h"

#include <algorithm>
#include <cmath>

namespace mpf::oracle {

CaseSchema randomSchema(std::mt19937_64 &random, const Model &model, const Query &query) {
  CaseSchema schema;
  for (size_t i = 0; i < model.variables.size(); ++i) {
    if (model.evidence.observes(VarId{i}) ||
        std::find(query.output.begin(), query.output.end(), VarId{i}) != query.output.end())
      continue;
    const CaseVariable column{VarId{i}, model.variables[i].extent};
    if (random() % 2 == 0)
      schema.observed.push_back(column);
    else if (random() % 6 == 0 && query.kind != QueryKind::Expression)
      schema.likelihoods.push_back(column);
  }
  return schema;
}

void addRandomTables(std::mt19937_64 &random, const Model &model, CaseSchema &schema) {
  const auto extentsOf = [&model](FactorId id) {
    std::vector<uint32_t> extents;
    for (const VarId variable : model.factor(id).scope)
      extents.push_back(model.variable(variable).extent);
    return extents;
  };
  for (size_t i = 0; i < model.factors.size(); ++i) {
    const FactorId id{i};
    if (random() % 3 != 0)
      continue;
    const auto alike = std::ranges::find_if(schema.tables, [&](const VaryingTable &table) {
      return random() % 2 == 0 && extentsOf(table.factors.front()) == extentsOf(id);
    });
    if (alike != schema.tables.end())
      alike->factors.push_back(id);
    else
      schema.tables.push_back({{id}, scopeElems(model, model.factor(id).scope), true});
  }
}

CaseBlock randomBlock(std::mt19937_64 &random, const CaseSchema &schema) {
  CaseBlock block(schema, static_cast<uint32_t>(1 + random() % 70));
  block.count = static_cast<uint32_t>(1 + random() % block.pitch());
  for (uint32_t i = 0; i < block.count; ++i)
    for (size_t c = 0; c < schema.observed.size(); ++c) {
      const uint32_t extent = schema.observed[c].extent;
      block.setCode(c, i, static_cast<uint32_t>(random() % 3 == 0 ? extent : random() % extent));
    }
  for (double &weight : block.weights())
    weight = random() % 5 == 0 ? 0 : unit(random);
  return block;
}

void spreadWeights(std::mt19937_64 &random, CaseBlock &block, int exponent) {
  for (double &weight : block.weights())
    if (weight != 0 && random() % 2 == 0) {
      const auto power = static_cast<int>(random() % static_cast<unsigned>(std::abs(exponent)));
      weight = std::ldexp(0.5 + unit(random) / 2, exponent < 0 ? -power : power);
    }
}

void spreadEntries(std::mt19937_64 &random, Model &model, int leastExponent) {
  if (leastExponent == 0)
    return;
  for (Factor &factor : model.factors) {
    auto values = std::make_shared<std::vector<double>>(*factor.values);
    for (double &value : *values)
      value =
          std::ldexp(value, -static_cast<int>(random() % static_cast<unsigned>(-leastExponent)));
    factor.values = std::move(values);
  }
}

} // namespace mpf::oracle
