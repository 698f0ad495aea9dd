// The model that questions about a loaded program are asked of.
#pragma once

#include "codegen/bundle/head/program_head.h"
#include "dsl/model/model.h"

namespace mpf {

/// Returns a model of the program's name and variables, and of `evidence`; it has no factors.
inline Model modelOfHead(const ProgramHead &program, const Evidence &evidence) {
  Model model;
  model.name = program.name;
  for (const HeadVariable &variable : program.variables)
    model.variables.push_back(
        {variable.name, variable.extent, variable.labels, variable.auxiliary, variable.unasked});
  model.evidence.add(evidence.observations());
  return model;
}

} // namespace mpf
