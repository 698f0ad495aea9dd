// Text -> table program: `-x plan`. The syntax is in print_program.h.
#pragma once

#include "codegen/plan/table_program.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>

namespace mpf {

/// Reads and verifies (verify_program.h). Nothing when anything was reported as an error. Any bytes
/// are safe: memory stays in proportion to the text. Factor numbers are only checked against a
/// model when inputs are bound.
std::optional<TableProgram> readProgram(std::shared_ptr<const SourceBuffer> buffer,
                                        Diagnostics &diagnostics);

} // namespace mpf
