// PLACED TRACEBACK: where the steps of a bundle's traceback (Bundle::traceback) are taken, when its
// operations run on two devices. A step looks at the tables of one bucket, so it is taken where the
// bucket was computed: these tables are there. Messages cross for the traceback alone only where
// the operations of one bucket are on both devices.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/schedule/schedule.h"

#include <cstdint>
#include <vector>

namespace mpf {

struct TracedStep {
  /// On whose device the step is taken: the first that is the last to read one of the step's
  /// results (where it has none: inputs), but none before what writes them.
  uint32_t operation = 0;
  std::vector<uint32_t> behind; ///< steps that fix variables of its tables
};

/// By step of the traceback; empty for a bundle without operations. Linear in accesses and tables.
std::vector<TracedStep> tracedSteps(const Bundle &bundle);

/// Steps that one device takes without regard to the other.
struct TracebackPart {
  StepDevice device = StepDevice::Cpu;
  std::vector<uint32_t> steps; ///< in the order in which they are taken
  bool operator==(const TracebackPart &) const = default;
};

/// All steps, each behind those that it must come behind. A part goes as far as it can; of the two
/// devices that may begin, the one that makes fewer parts does, the CPU where both make as many.
/// `devices`: by operation. Deterministic; linear but for a logarithm.
std::vector<TracebackPart> tracebackParts(const std::vector<TracedStep> &steps,
                                          const std::vector<StepDevice> &devices);

} // namespace mpf
