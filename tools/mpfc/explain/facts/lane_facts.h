// The figures of a lane program, and how fast devices are predicted to run it.
#pragma once

#include "codegen/kernel/form/target.h"
#include "codegen/lanes/build_lane_program.h"
#include "tools/mpfc/explain/facts/case_facts.h"

namespace mpf {

LaneFacts laneFacts(const LanePlan &plan);

// Predicted cases in a second, without reading and writing rows.

/// By `threads` threads, of one core each; within a factor of three on the machines measured.
double laneRowsOnCpu(const LanePlan &plan, ElementType type, uint64_t threads);
/// The same in numbers with exponents of their own (runtime/execute/lanes/wide_lanes.h).
double laneRowsInWideNumbers(const LanePlan &plan, uint64_t threads);
/// By a kernel with a thread for each case: every multiprocessor issues as many multiply-adds as it
/// can, and rows of cases that lie on the device stream through its memory. The costs of `plan` are
/// those of a GPU and of its type.
double laneRowsByThreads(const LanePlan &plan, ElementType type, const Target &target);
/// By table-driven kernels with a team of warps for 32 cases. `isShared`: their messages fit the
/// shared memory of a block.
double laneRowsByTeams(const LanePlan &plan, ElementType type, const Target &target, bool isShared);

} // namespace mpf
