// Three variables, some with names that lists of cases must quote, for tests and the fuzzer of
// readers.
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
