// Text -> table programs: `-x plan`, `--plan`. The syntax is in print_program.h.
#pragma once

#include "codegen/plan/program/table_program.h"
#include "codegen/plan/program/verify_program.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>
#include <vector>

namespace mpf {

struct ReadProgram {
  TableProgram program;
  SourcePlace place; ///< of its line 'plan NAME KIND'
};

/// Reads and verifies (verify_program.h) all programs of the text, of which there is at least one:
/// each starts with its line 'plan'. Nothing when anything was reported as an error. Any bytes are
/// safe: memory stays in proportion to the text. Factor numbers are only checked against a model
/// when inputs are bound. `stages`: what must hold, for programs that were printed between passes.
std::optional<std::vector<ReadProgram>> readPrograms(std::shared_ptr<const SourceBuffer> buffer,
                                                     Diagnostics &diagnostics,
                                                     const VerifyStages &stages = {});

} // namespace mpf
