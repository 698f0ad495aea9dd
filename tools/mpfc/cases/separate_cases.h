// A model with a list of cases as two things: the model of one case, and the list.
#pragma once

#include "dsl/model/model.h"
#include "dsl/support/cases/case_source.h"

#include <memory>

namespace mpf::driver {

struct SeparateCases {
  Model model; ///< of one case: without the list
  std::shared_ptr<CaseSource> source;
};

/// Of a model that lists cases: in a file, or in its evidence.
SeparateCases separateCases(const Model &model);

} // namespace mpf::driver
