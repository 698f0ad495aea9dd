#include "tests/oracle/models/random_params.h"

#include "dsl/support/expression/table_formula.h"
#include "tests/oracle/models/random_models.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <memory>

namespace mpf::oracle {

namespace {

double valueOf(const DrawnEntry &entry, const std::vector<double> &params) {
  const double a = params[entry.a], b = params[entry.b];
  switch (entry.form) {
  case DrawnEntry::Form::Constant:
    break;
  case DrawnEntry::Form::Times:
    return entry.base * a;
  case DrawnEntry::Form::Without:
    return entry.base * (1 - a);
  case DrawnEntry::Form::Sum:
    return entry.base * a + entry.state * b;
  case DrawnEntry::Form::Choice:
    return a < b ? entry.base : a * b;
  }
  return entry.base;
}

Expression expressionOf(const DrawnEntry &entry, uint32_t lastVariable) {
  const Instruction a{OpCode::Param, entry.a}, b{OpCode::Param, entry.b},
      base{OpCode::Constant, 0, entry.base}, one{OpCode::Constant, 0, 1},
      state{OpCode::State, lastVariable}, times{OpCode::Multiply};
  switch (entry.form) {
  case DrawnEntry::Form::Constant:
    break;
  case DrawnEntry::Form::Times:
    return {{base, a, times}};
  case DrawnEntry::Form::Without:
    return {{base, one, a, {OpCode::Subtract}, times}};
  case DrawnEntry::Form::Sum:
    return {{base, a, times, state, b, times, {OpCode::Add}}};
  case DrawnEntry::Form::Choice:
    return {{a, b, {OpCode::Less}, base, a, b, times, {OpCode::Select}}};
  }
  return {{base}};
}

std::vector<DrawnEntry> drawEntries(std::mt19937_64 &random, const std::vector<double> &values,
                                    uint32_t lastExtent, size_t params) {
  std::vector<DrawnEntry> entries;
  for (size_t e = 0; e < values.size(); ++e)
    entries.push_back({static_cast<DrawnEntry::Form>(random() % 5), values[e],
                       static_cast<uint32_t>(random() % params),
                       static_cast<uint32_t>(random() % params),
                       static_cast<uint32_t>(e % lastExtent)});
  const auto isFixed = [](const DrawnEntry &entry) {
    return entry.form == DrawnEntry::Form::Constant;
  };
  if (std::ranges::all_of(entries, isFixed)) // it would have no formula
    entries.front().form = DrawnEntry::Form::Times;
  return entries;
}

std::shared_ptr<const TableFormula> formulaOf(const std::vector<DrawnEntry> &entries,
                                              std::vector<uint32_t> extents,
                                              const std::vector<double> &params) {
  auto formula = std::make_shared<TableFormula>();
  auto values = std::make_shared<std::vector<double>>();
  const auto last = static_cast<uint32_t>(extents.size() - 1);
  for (size_t e = 0; e < entries.size(); ++e) {
    values->push_back(valueOf(entries[e], params));
    if (entries[e].form != DrawnEntry::Form::Constant)
      formula->parts.push_back({e, e + 1, expressionOf(entries[e], last)});
  }
  formula->extents = std::move(extents);
  formula->values = std::move(values);
  return formula;
}

std::vector<uint32_t> extentsOf(const Model &model, const Factor &factor) {
  std::vector<uint32_t> extents;
  for (const VarId variable : factor.scope)
    extents.push_back(model.variable(variable).extent);
  return extents;
}

bool isGiven(const CaseSchema &schema, FactorId id) {
  return std::ranges::any_of(schema.tables, [id](const VaryingTable &table) {
    return std::ranges::find(table.factors, id) != table.factors.end();
  });
}

} // namespace

DrawnParams addRandomParams(std::mt19937_64 &random, Model &model, CaseSchema &schema) {
  DrawnParams drawn;
  const size_t count = 1 + random() % 4;
  for (uint32_t p = 0; p < count; ++p) {
    model.params.push_back({"p" + std::to_string(p), unit(random), true});
    if (p == 0 || random() % 2 == 0)
      continue;
    const auto a = static_cast<uint32_t>(random() % p), b = static_cast<uint32_t>(random() % p);
    drawn.derived.push_back({p, a, b});
    model.params[p].value = model.params[a].value * (1 - model.params[b].value);
    model.params[p].derivation = {{{OpCode::Param, a},
                                   {OpCode::Constant, 0, 1},
                                   {OpCode::Param, b},
                                   {OpCode::Subtract},
                                   {OpCode::Multiply}}};
  }
  for (const Param &param : model.params)
    if (random() % 2 == 0)
      schema.params.push_back(param.name);
  if (schema.params.empty())
    schema.params.push_back(model.params.back().name);
  std::ranges::reverse(schema.params); // columns need not be in the order of the model
  const std::vector<double> params = paramValues(model);
  for (size_t i = 0; i < model.factors.size(); ++i) {
    Factor &factor = model.factors[i];
    if (isGiven(schema, FactorId{i}) || factor.conditional || factor.scope.empty() ||
        random() % 3 != 0)
      continue;
    const std::vector<uint32_t> extents = extentsOf(model, factor);
    const auto alike = std::ranges::find_if(drawn.tables, [&](const DrawnParams::Table &table) {
      return random() % 2 == 0 && extentsOf(model, model.factor(table.factor)) == extents;
    });
    if (alike != drawn.tables.end()) {
      factor.formula = model.factor(alike->factor).formula;
    } else {
      drawn.tables.push_back(
          {FactorId{i}, drawEntries(random, *factor.values, extents.back(), count)});
      factor.formula = formulaOf(drawn.tables.back().entries, extents, params);
    }
    factor.values = factor.formula->values;
  }
  return drawn;
}

void setRandomParams(std::mt19937_64 &random, const CaseSchema &schema, CaseBlock &block) {
  constexpr double kShared[] = {0, 0.25, 0.5, 1};
  for (size_t p = 0; p < schema.params.size(); ++p)
    for (uint32_t i = 0; i < block.count; ++i) {
      const uint64_t kind = random() % 6;
      block.params()[p * block.pitch() + i] = kind == 0  ? std::numeric_limits<double>::quiet_NaN()
                                              : kind < 4 ? kShared[random() % 4]
                                                         : unit(random);
    }
}

void DrawnParams::compare(const Model &model, const CaseSchema &schema,
                          const CaseBlock &block) const {
  for (const Table &table : tables) {
    const auto at = std::ranges::find_if(schema.tables, [&](const VaryingTable &varying) {
      return varying.factors.front() == table.factor;
    });
    ASSERT_NE(at, schema.tables.end());
    const size_t row = schema.firstWeight(schema.likelihoods.size() +
                                          static_cast<size_t>(at - schema.tables.begin()));
    for (uint32_t i = 0; i < block.count; ++i) {
      std::vector<double> params = paramValues(model);
      for (size_t p = 0; p < model.params.size(); ++p) {
        const auto column = std::ranges::find(schema.params, model.params[p].name);
        const size_t number = static_cast<size_t>(column - schema.params.begin());
        if (column != schema.params.end() &&
            !std::isnan(block.params()[number * block.pitch() + i]))
          params[p] = block.params()[number * block.pitch() + i];
        else if (const auto its = std::ranges::find(derived, p, &Derived::param);
                 its != derived.end())
          params[p] = params[its->a] * (1 - params[its->b]);
      }
      for (size_t e = 0; e < table.entries.size(); ++e) {
        const double right = valueOf(table.entries[e], params);
        ASSERT_NEAR(block.weights()[(row + e) * block.pitch() + i], right, 1e-15 * right)
            << "case " << i << ", entry " << e << " of " << model.factor(table.factor).name;
      }
    }
  }
}

} // namespace mpf::oracle
