// Reads table programs from text (`-x plan`, `--plan`). The syntax is in print_program.h.
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
  SourcePlace place; ///< where it begins: its line 'plan NAME KIND'
};

/// Reads and verifies (verify_program.h) all programs of the text, of which there must be at least
/// one; each starts with a line 'plan'. Stops at the first error, reports it to `diagnostics` and
/// returns nothing. Any bytes are safe input: memory stays in proportion to the text, because
/// scopes are limited to kMaxScopeVariables. Factor numbers are compared with a model only later
/// (match_model.h).
/// `stages`: the rules that must hold, for programs that were printed between passes.
std::optional<std::vector<ReadProgram>> readPrograms(std::shared_ptr<const SourceBuffer> buffer,
                                                     Diagnostics &diagnostics,
                                                     const VerifyStages &stages = {});

} // namespace mpf
