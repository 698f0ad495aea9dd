// Three variables with names that a table of cases has to quote: for its reader's tests and fuzzer.
#pragma once

#include "dsl/model/model.h"

namespace mpf {

inline Model threeVariables() {
  Model model;
  model.variables = {
      {"rain", 2, {"no", "yes"}}, {"s[0][1]", 3, {}}, {"a b", 2, {"one", "x,\"y\""}}};
  return model;
}

} // namespace mpf
