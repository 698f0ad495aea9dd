// The command lines of `mpf-bench cases` and `mpf-bench draw-cases`.
#pragma once

#include "tools/mpf-bench/cases/draw_cases.h"
#include "tools/mpf-bench/measure/case_bench_options.h"

namespace CLI {
class App;
}

namespace mpf::bench {

void addCaseOptions(CLI::App &command, CaseBenchOptions &options);
void addDrawCasesOptions(CLI::App &command, DrawCasesOptions &options);

} // namespace mpf::bench
