// The model for readers of lists of cases.
#pragma once

#include "tests/unit/dsl/formats/three_variables.h"

namespace mpf {

/// Returns threeVariables() with a param and with tables that cases may set. Table f has no
/// defaults, table g has some.
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
