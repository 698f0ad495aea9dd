// PLACED TRACEBACK: the devices of the steps of a traceback (Bundle::traceback), if operations run
// on several devices. A step reads the tables of one bucket, so it runs on the device that computed
// the bucket. Tables cross only for the traceback if operations of one bucket are on several
// devices.
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

/// Steps that one device runs without waiting for another.
struct TracebackPart {
  DeviceId device = DeviceId::cpu();
  std::vector<uint32_t> steps; ///< in the order in which they run
  bool operator==(const TracebackPart &) const = default;
};

/// Returns all steps in parts, each step after those in its `behind`. A part ends when no further
/// step can run on its device; the next device in ascending order that has a step goes on. The
/// device that gives the fewest parts begins, on equal numbers the first. `devices`: by operation.
/// Deterministic; time: linear for each device, times a logarithm.
std::vector<TracebackPart> tracebackParts(const std::vector<TracedStep> &steps,
                                          const std::vector<DeviceId> &devices);

} // namespace mpf
