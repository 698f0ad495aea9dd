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

/// Compares the first rows of `answers`, without those in `left`, with answers in wide numbers,
/// which lose nothing. It stops after options.checked rows, or after options.seconds: on large
/// models a single row takes a second. Then throws Error(Verification) if the largest error is too
/// large.
ComparedAnswers checkRows(const LaneProgram &program, const CommonTables &common,
                          const CaseBlock &block, const CaseAnswers &answers,
                          const std::vector<uint32_t> &left, const CaseBenchOptions &options);

/// Measures lanes by options.device, options.type and options.kernel. On a GPU the cases and
/// answers stay in its memory. On the CPU a pass includes reading and writing them on the host.
/// `answers`: set to the answers of all rows. Throws like planLanes and the devices.
CaseRate measureLanes(const MeasuredCases &cases, const CaseBenchOptions &options,
                      CaseAnswers &answers);

} // namespace mpf::bench
