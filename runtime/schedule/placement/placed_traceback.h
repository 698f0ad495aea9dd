// PLACED TRACEBACK: the devices of the steps of a traceback (Bundle::traceback), if operations run
// on two devices. A step reads the tables of one bucket, so it runs on the device that computed the
// bucket. Tables cross only for the traceback if operations of one bucket are on both devices.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/schedule/schedule.h"

#include <cstdint>
#include <vector>

namespace mpf {

struct TracedStep {
  /// The operation whose device runs the step. For each result that the step reads, take its last
  /// reader; the first of these operations counts. A step without results uses its inputs instead.
  /// If the writer of a result comes later, that operation counts.
  uint32_t operation = 0;
  std::vector<uint32_t> behind; ///< earlier steps that fix variables of its tables
};

/// Returns the steps of the traceback; none for a bundle without operations. Linear in accesses and
/// tables.
std::vector<TracedStep> tracedSteps(const Bundle &bundle);

/// Steps that one device runs without waiting for the other.
struct TracebackPart {
  StepDevice device = StepDevice::Cpu;
  std::vector<uint32_t> steps; ///< in the order in which they run
  bool operator==(const TracebackPart &) const = default;
};

/// Returns all steps in parts, each step after those in its `behind`. A part ends when no further
/// step can run on its device. The device that gives fewer parts begins, the CPU if both give as
/// many. `devices`: by operation. Deterministic; time: linear, times a logarithm.
std::vector<TracebackPart> tracebackParts(const std::vector<TracedStep> &steps,
                                          const std::vector<StepDevice> &devices);

} // namespace mpf
