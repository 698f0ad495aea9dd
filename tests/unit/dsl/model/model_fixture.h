// Small Models and texts for the tests of dsl/model.
#pragma once

#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <string>
#include <vector>

namespace mpf::test {

inline TableValues table(std::vector<double> values) {
  return std::make_shared<const std::vector<double>>(std::move(values));
}

inline std::shared_ptr<const SourceBuffer> source(std::string text, std::string name = "m.mpf") {
  return std::make_shared<const SourceBuffer>(std::move(name), std::move(text));
}

/// A model rain -> wet with all kinds of contents of a Model.
inline Model richModel() {
  Model model;
  model.name = "rich";
  model.variables = {{"rain", 2, {"no", "yes"}},
                     {"wet", 2, {"no", "yes"}},
                     {"s[0]", 3, {}},
                     {"s[1]", 3, {}},
                     {"odd \"name\"", 2, {"<5", ">= 5"}}};
  const VarId rain{size_t{0}}, wet{size_t{1}}, s0{size_t{2}}, s1{size_t{3}}, odd{size_t{4}};
  model.factors = {{"P(rain)", "P(rain)", {rain}, table({0.8, 0.2}), true},
                   {"P(wet)", "P(wet)", {rain, wet}, table({1, 0, 0.1, 0.9}), true},
                   {"h[0]", "h", {s0, odd}, table({1, -2, 1e-300, 0.1, -0.0, 3}), false},
                   {"h[1]", "h", {s1, odd}, nullptr, false},
                   {"all", "all", {}, table({2.5}), false},
                   {"soft(rain)", "soft(rain)", {rain}, table({0.25, 0.75}), false}};
  model.evidence = listedEvidence({rain, s0}, {1, 2, Evidence::kNotObserved, 0}, 2);
  model.evidence.add({{wet, 1}});
  model.evidence.likelihoods = {FactorId(5)};
  model.params = {{"theta", 0, true}, {"odd \"param\"", -2.5, true}};
  const Instruction theta{OpCode::Param, 0, 0};
  model.factors[2].formula = std::make_shared<const TableFormula>(TableFormula{
      {3, 2},
      model.factors[2].values,
      {{1, 3, {{theta, {OpCode::Constant, 0, 0.5}, {OpCode::Subtract}}}},
       {5, 6, {{{OpCode::State, 0, 0}, {OpCode::Log}, theta, theta, {OpCode::Select}}}}}});
  model.sweeps = {{"theta", {0, 0.25, 0.1}}};
  markSwept(model);
  model.orders = {{rain, wet}, {s1, s0}};
  model.queries = {shortQuery(model, QueryKind::Evidence),
                   shortQuery(model, QueryKind::Joint, {wet, rain}),
                   shortQuery(model, QueryKind::Samples, {}, 10)};
  Query map;
  map.name = "map";
  map.kind = QueryKind::Expression;
  map.output = {s0};
  map.reductions = {{Reduce::Max, {s1}}, {Reduce::Sum, {odd}}};
  map.factors = {FactorId(size_t{2}), FactorId(size_t{3}), FactorId(size_t{4})};
  model.queries.push_back(map);
  return model;
}

} // namespace mpf::test
