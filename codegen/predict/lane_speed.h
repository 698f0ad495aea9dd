// The predicted speed of devices that run a lane program.
#pragma once

#include "codegen/bundle/lanes/team_shape.h"
#include "codegen/kernel/form/target.h"
#include "codegen/lanes/build_lane_program.h"
#include "codegen/machine/engine_rates.h"
#include "codegen/predict/engine_speed.h"

#include <optional>

namespace mpf {

// Rates are cases per second; they leave out reading and writing rows.

/// Returns the rate of `threads` threads on one core each; within a factor of three on the machines
/// measured.
double laneRowsOnCpu(const LanePlan &plan, const CpuLaneRates &rates, ElementType type,
                     uint64_t threads);
/// Returns the rate in numbers with separate exponents (runtime/execute/lanes/wide_lanes.h).
double laneRowsInWideNumbers(const LanePlan &plan, const CpuLaneRates &rates, uint64_t threads);
/// Returns the rate of a kernel with a thread for each case. Every multiprocessor issues as many
/// multiply-adds as it can, and rows of cases stream through the device's memory. The costs of
/// `plan` must be those of a GPU and of its type.
double laneRowsByThreads(const LanePlan &plan, const GpuLaneRates &rates, ElementType type,
                         const Target &target);
/// Returns the rate of table-driven kernels with a team of warps for up to 32 cases, if there are
/// very many cases.
double laneRowsByTeams(const LanePlan &plan, const GpuLaneRates &rates, ElementType type,
                       const Target &target);
/// Returns the rate of kernels that are emitted for such teams.
double laneRowsByEmittedTeams(const LanePlan &plan, const GpuLaneRates &rates, ElementType type,
                              const Target &target);
/// Returns the time of the work done once for all cases (codegen/bundle/lanes/common_tables.h), by
/// one thread.
double laneSharedSeconds(const LaneProgram &program, const CpuLaneRates &rates);
struct TableDrivenSpeed {
  EngineSpeed speed;
  TeamShape shape; ///< the shape for very many cases
};

/// Returns the speed of table-driven kernels for any number of cases. Few cases have small teams,
/// each of which has a multiprocessor, the caches and the memory to itself.
TableDrivenSpeed tableDrivenSpeed(const LanePlan &plan, const GpuLaneRates &rates, ElementType type,
                                  const Target &gpu);

/// Returns the predicted time of table-driven kernels for `cases`.
double tableDrivenSeconds(const LanePlan &plan, const GpuLaneRates &rates, const Target &target,
                          double cases);

/// A list of cases, and the device for which lanes are planned.
struct LaneLoad {
  double cases = 1; ///< expected cases
  EngineRates rates;
  /// Threads of the machine, not of the user's options, so that plans do not depend on options.
  uint64_t threads = 1;
  std::optional<Target> gpu; ///< none: the CPU
};

/// Returns the predicted microseconds of all cases of a list with a plan, by laneSpeed. Equal plans
/// get equal predictions.
double listUs(const LanePlan &plan, const LaneLoad &load);

/// Returns the number of entries in the answer to a case, with the states of a best assignment.
double answerElems(const LaneProgram &program);

/// Returns the speed of the kind of kernel that a run takes, in the query's type. Uses the plan
/// alone: computes no shared table. `gpu`: none: the CPU with so many threads.
/// `tableDrivenSeconds`: predicted time of table-driven kernels for all cases, if known. It bounds
/// what a run compiles (lane_kernel_choice.h); the result then includes the time to compile.
EngineSpeed laneSpeed(const LanePlan &plan, const EngineRates &rates, uint64_t threads,
                      const std::optional<Target> &gpu,
                      std::optional<double> tableDrivenSeconds = {});

} // namespace mpf
