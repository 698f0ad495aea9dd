// The model that lists of cases are read for.
#pragma once

#include "tests/unit/dsl/formats/three_variables.h"

namespace mpf {

/// threeVariables() with a param and with tables that cases may set: f has no defaults, g has.
inline Model threeVariablesAndTables() {
  Model model = threeVariables();
  model.params = {{"theta", 0, true}};
  model.factors = {{"f", "f", {VarId{0}, VarId{2}}, nullptr},
                   {"g",
                    "g",
                    {VarId{1}},
                    nullptr,
                    false,
                    nullptr,
                    std::make_shared<const std::vector<double>>(3, 0.5)}};
  return model;
}

} // namespace mpf
