// Reads lane programs from text (-x lanes, bundles). The syntax is in print_lane_program.h.
#pragma once

#include "codegen/bundle/head/head_lines.h"
#include "codegen/bundle/lanes/lane_program.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>
#include <vector>

namespace mpf {

struct ReadLaneProgram {
  LaneProgram program;
  SourcePlace place; ///< of its line 'lanes NAME KIND TYPE SEMIRING'
};

/// Reads and verifies (verify_lane_program.h) all programs of the text, of which there must be at
/// least one; each starts with a line 'lanes'. `stored` must have the tables that the text marks as
/// stored. Stops at the first error, reports it to `diagnostics` and returns nothing. Any bytes
/// are safe input: memory stays in proportion to the text.
std::optional<std::vector<ReadLaneProgram>>
readLanePrograms(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
                 const StoredEntries &stored = {});

} // namespace mpf
