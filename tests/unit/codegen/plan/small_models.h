// Models in one line, for tests: binary variables unless extents are given, values all 1.
#pragma once

#include "dsl/model/model.h"

#include <fmt/core.h>
#include <string>
#include <vector>

namespace mpf::test {

/// Variables "x0".., one factor "f0".. per scope. `filled` = false leaves the values to the host
/// program, so that scopes of any size cost nothing.
inline Model modelOf(const std::vector<uint32_t> &extents,
                     const std::vector<std::vector<uint32_t>> &scopes, bool filled = true) {
  Model model;
  for (size_t i = 0; i < extents.size(); ++i)
    model.variables.push_back({fmt::format("x{}", i), extents[i], {}});
  Query query;
  query.name = "evidence";
  for (size_t i = 0; i < scopes.size(); ++i) {
    Factor factor;
    factor.name = factor.family = fmt::format("f{}", i);
    for (const uint32_t v : scopes[i])
      factor.scope.push_back(VarId{v});
    if (filled)
      factor.values =
          std::make_shared<const std::vector<double>>(scopeElems(model, factor.scope), 1.0);
    model.factors.push_back(std::move(factor));
    query.factors.push_back(FactorId{i});
  }
  model.queries.push_back(std::move(query));
  return model;
}

inline Model binaryModel(size_t variables, const std::vector<std::vector<uint32_t>> &scopes) {
  return modelOf(std::vector<uint32_t>(variables, 2), scopes, false);
}

/// A rows x columns grid of pairwise factors without values.
inline Model grid(uint32_t rows, uint32_t columns) {
  std::vector<std::vector<uint32_t>> scopes;
  for (uint32_t r = 0; r < rows; ++r)
    for (uint32_t c = 0; c < columns; ++c) {
      if (c + 1 < columns)
        scopes.push_back({r * columns + c, r * columns + c + 1});
      if (r + 1 < rows)
        scopes.push_back({r * columns + c, (r + 1) * columns + c});
    }
  return binaryModel(rows * columns, scopes);
}

} // namespace mpf::test
