// THE CHOICE for a single result: which devices run a table program. The compiler asks before it
// makes GPU kernels, sessions before they open an executor, explain and --emit=answer to describe
// it. They differ only in the facts that they know (AnswerConditions).
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/choose/answer/answer_plan.h"
#include "runtime/predict/place_program.h"
#include "runtime/schedule/placement/place_tasks.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace mpf {

/// The facts of the machine are functions, because some are slow to ask. Each is called at most
/// once, and only if the answer depends on it.
struct AnswerConditions {
  DeviceRequest devices;
  std::function<PlacementConditions()> costs;
  std::function<uint64_t()> hostBytes; ///< memory of the host for tables; empty: any amount
  /// Whether the machine has a GPU that may run the program; empty: it has.
  std::function<bool()> hasGpu;
  /// Times of placements; empty: predictPlacements.
  std::function<PlacementTimes(const PlacementConditions &)> times;
  /// Why the program has no GPU kernels that may run, one sentence. Empty: it has them, or it will
  /// get them if the answer takes a GPU.
  std::string lacksKernels;
  /// Whether a session opens the plan, which then needs the placement of all operations.
  bool isOpened = false;
  /// Whether every candidate is predicted, and placed, even if no time decides.
  bool predictsAll = false;
};

struct AnswerChoice {
  AnswerPlan plan;
  /// The schedule of the chosen candidate, if times decided or AnswerConditions::predictsAll.
  std::optional<PlacementChoice> schedule;
};

/// Returns the plan for a single result. Its candidates are all methods of placement, in the order
/// of placementMethods(). If the request leaves the choice open, the GPU is chosen if
/// - the tables exceed the host's memory, or
/// - the run on the CPU takes longer than opening a GPU (placeWhereGpuMayPay), and the placement
///   that is predicted to take the least time uses the GPU.
AnswerChoice chooseAnswer(const Bundle &bundle, const AnswerConditions &conditions);

/// A program without a bundle: its values are unknown, or it is too large. Its times are rough
/// predictions of a whole run on one device.
struct RoughProgram {
  std::string name;
  uint64_t bytes = 0; ///< of its tables
  double cpuUs = 0;
  double gpuUs = 0;     ///< with gpuOnceUs
  double gpuOnceUs = 0; ///< time to start a GPU and to compile its kernels
};

/// Returns the plan for such a program by the same rule. `conditions.costs` is not called.
AnswerPlan chooseRoughly(const RoughProgram &program, const AnswerConditions &conditions);

} // namespace mpf
