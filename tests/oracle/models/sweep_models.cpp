#include "tests/oracle/models/sweep_models.h"

#include <cmath>
#include <fmt/core.h>

namespace mpf::oracle {

namespace {

TableValues randomTable(std::mt19937_64 &random, uint64_t elems, const SweepModelOptions &options) {
  const auto unit = [&random] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  std::vector<double> values(elems);
  for (double &value : values)
    value = unit() < options.zeroShare ? 0 : std::exp2(options.leastLog2 * unit());
  values.back() = 1; // not all zero
  return std::make_shared<const std::vector<double>>(std::move(values));
}

} // namespace

Model sweepModel(std::mt19937_64 &random, const SweepModelOptions &options) {
  Model model;
  Query query;
  query.name = "evidence";
  const auto at = [&](uint32_t column, uint32_t row) {
    return VarId{size_t{column} * options.rows + row};
  };
  for (uint32_t column = 0; column < options.columns; ++column)
    for (uint32_t row = 0; row < options.rows; ++row)
      model.variables.push_back({fmt::format("x{}_{}", column, row),
                                 static_cast<uint32_t>(2 + random() % (options.maxExtent - 1)),
                                 {}});
  const auto add = [&](VarId a, VarId b) {
    Factor factor;
    factor.name = factor.family = fmt::format("f{}", model.factors.size());
    factor.scope = {a, b};
    factor.values = randomTable(random, scopeElems(model, factor.scope), options);
    query.factors.push_back(FactorId{model.factors.size()});
    model.factors.push_back(std::move(factor));
  };
  PartialOrder order;
  for (uint32_t column = options.columns; column-- > 0;)
    for (uint32_t row = options.rows; row-- > 0;)
      order.push_back(at(column, row));
  for (uint32_t column = 0; column < options.columns; ++column)
    for (uint32_t row = 0; row < options.rows; ++row) {
      if (row + 1 < options.rows)
        add(at(column, row), at(column, row + 1));
      if (column + 1 < options.columns)
        add(at(column, row), at(column + 1, row));
    }
  model.orders.push_back(std::move(order));
  model.queries.push_back(std::move(query));
  return model;
}

} // namespace mpf::oracle
