// How fast devices are predicted to run a lane program.
#pragma once

#include "codegen/bundle/lanes/team_shape.h"
#include "codegen/kernel/form/target.h"
#include "codegen/lanes/build_lane_program.h"
#include "runtime/choose/engine_speed.h"

#include <optional>

namespace mpf {

// Cases in a second, without reading and writing rows.

/// By `threads` threads, of one core each; within a factor of three on the machines measured.
double laneRowsOnCpu(const LanePlan &plan, ElementType type, uint64_t threads);
/// The same in numbers with exponents of their own (runtime/execute/lanes/wide_lanes.h).
double laneRowsInWideNumbers(const LanePlan &plan, uint64_t threads);
/// By a kernel with a thread for each case: every multiprocessor issues as many multiply-adds as it
/// can, and rows of cases that lie on the device stream through its memory. The costs of `plan` are
/// those of a GPU and of its type.
double laneRowsByThreads(const LanePlan &plan, ElementType type, const Target &target);
/// By table-driven kernels with a team of warps for up to 32 cases, of very many cases.
double laneRowsByTeams(const LanePlan &plan, ElementType type, const Target &target);
/// By kernels that are emitted for such teams.
double laneRowsByEmittedTeams(const LanePlan &plan, ElementType type, const Target &target);
/// Of what is computed once for all cases (codegen/bundle/lanes/common_tables.h), by one thread.
double laneSharedSeconds(const LaneProgram &program);
struct TableDrivenSpeed {
  EngineSpeed speed;
  TeamShape shape; ///< of very many cases
};

/// The same as laneRowsByTeams for any number of cases: few have small teams, and a multiprocessor,
/// the caches and the memory to themselves.
TableDrivenSpeed tableDrivenSpeed(const LanePlan &plan, ElementType type, const Target &gpu);

/// What table-driven kernels would take for `cases`.
double tableDrivenSeconds(const LanePlan &plan, const Target &target, double cases);

/// Of `cases` by a plan for that device, as laneSpeed (CompileSettings::predictList). `threads` is
/// that of the machine, not what a user asks for: what is planned does not depend on it.
ListPrediction listPrediction(uint64_t threads, const std::optional<Target> &gpu, double cases);

/// Entries that the answer to a case has, states of a best assignment among them.
double answerElems(const LaneProgram &program);

/// Of the kind of kernel that a run takes, in the query's type, from the plan alone: no shared
/// table is computed. `gpu`: none, the CPU with so many threads. `tableDrivenSeconds`: what
/// table-driven kernels would take for all cases, where that is known: it bounds what a run
/// compiles (lane_kernel_choice.h), which the result counts.
EngineSpeed laneSpeed(const LanePlan &plan, uint64_t threads, const std::optional<Target> &gpu,
                      std::optional<double> tableDrivenSeconds = {});

} // namespace mpf
