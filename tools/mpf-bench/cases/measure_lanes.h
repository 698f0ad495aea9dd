// Times lanes of mpf over one list of cases in memory, after comparing rows with exact single runs.
#pragma once

#include "codegen/bundle/lanes/common_tables.h"
#include "codegen/lanes/build_lane_program.h"
#include "runtime/result/case_answers.h"
#include "tools/mpf-bench/cases/case_rates.h"
#include "tools/mpf-bench/measure/case_bench_options.h"
#include "tools/mpf-bench/measure/close_answers.h"
#include "tools/mpf-bench/measure/random_cases.h"

namespace mpf::bench {

/// Compares the first rows of `answers` with wide numbers, which lose nothing, but not the `left`
/// ones: up to options.checked of them, and no more once this took options.seconds: on large models
/// a single row takes a second. Throws Error(Verification), when all are compared, with the largest
/// error.
ComparedAnswers checkRows(const LaneProgram &program, const CommonTables &common,
                          const CaseBlock &block, const CaseAnswers &answers,
                          const std::vector<uint32_t> &left, const CaseBenchOptions &options);

/// By options.device, options.type and options.kernel. On a GPU the cases and their answers stay
/// there; on the CPU a pass includes what the runner reads and writes on the host. `answers`: of
/// all rows. Throws as planLanes and as the devices.
CaseRate measureLanes(const MeasuredCases &cases, const CaseBenchOptions &options,
                      CaseAnswers &answers);

} // namespace mpf::bench
