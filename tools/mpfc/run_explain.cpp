// mpfc explain: a readable report of what a run will do, need and take, without running it.
#include "codegen/kernel/build_kernel.h"
#include "codegen/plan/program_statistics.h"
#include "codegen/specialise.h"
#include "dsl/support/number_text.h"
#include "tools/mpfc/commands.h"
#include "tools/mpfc/output.h"
#include "tools/mpfc/plan_queries.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace mpf::driver {

namespace {

constexpr size_t kOperationsShown = 10;

struct OperationReport {
  size_t operation = 0;
  KernelPlan plan;
  double tableDrivenUs = 0;
};

std::vector<OperationReport> reportsOf(const TableProgram &program, const KernelOptions &kernel) {
  std::vector<OperationReport> reports;
  for (size_t i = 0; i < program.operations.size(); ++i) {
    OperationReport report;
    report.operation = i;
    report.plan = buildKernel(program, OpId(i), kernel);
    report.tableDrivenUs = tableDrivenUs(report.plan.form, kernel.type, kernel.target);
    reports.push_back(std::move(report));
  }
  std::stable_sort(reports.begin(), reports.end(),
                   [](const auto &a, const auto &b) { return a.tableDrivenUs > b.tableDrivenUs; });
  return reports;
}

std::string orderText(const TableProgram &program) {
  constexpr size_t kVariablesShown = 40;
  std::string text;
  for (size_t i = 0; i < std::min(program.order.size(), kVariablesShown); ++i)
    text += (i == 0 ? "" : " > ") + program.variables[program.order[i].index()].name;
  if (program.order.size() > kVariablesShown)
    text += fmt::format(" > ... {} more", program.order.size() - kVariablesShown);
  return text.empty() ? "(nothing left to eliminate)" : text;
}

void explainOperation(const TableProgram &program, const OperationReport &report,
                      std::string &text) {
  const Operation &op = program.operations[report.operation];
  std::string operands;
  for (const TableId table : op.operands)
    operands += (operands.empty() ? "" : " ") + program.table(table).name;
  fmt::format_to(
      std::back_inserter(text), "  {:<8} {:>14} {:>14} {:>11.2f} {:>11.2f} {:>11.2f}  {}\n",
      program.table(op.result).name, op.cost.addressCount, program.table(op.result).sizeElems,
      report.tableDrivenUs, report.plan.predictedUs, report.plan.floorUs, operands);
}

std::string explain(const TableProgram &program, const Options &options,
                    const KernelOptions &kernel) {
  const ProgramStatistics statistics = programStatistics(program, options.type);
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "query {}\n", program.name);
  fmt::format_to(out, "  order: {}\n", orderText(program));
  fmt::format_to(out,
                 "  induced width {}, largest table 2^{:.2f} entries, {} operations, 2^{:.2f} "
                 "arithmetic operations\n",
                 statistics.inducedWidth, statistics.log2LargestTableElems,
                 program.operations.size(), statistics.log2TotalOps);
  fmt::format_to(out, "  memory: {} = {} of inputs + {} of work\n",
                 formatBytes(statistics.memory.peakBytes),
                 formatBytes(statistics.memory.inputArenaBytes),
                 formatBytes(statistics.memory.workArenaBytes));
  const std::vector<OperationReport> reports = reportsOf(program, kernel);
  double tableDriven = 0, specialised = 0, floor = 0;
  for (const OperationReport &report : reports) {
    tableDriven += report.tableDrivenUs;
    specialised += report.plan.predictedUs;
    floor += report.plan.floorUs;
  }
  fmt::format_to(out,
                 "  predicted on {}: {:.1f} us table-driven, {:.1f} us with a kernel for each "
                 "operation, floor {:.1f} us\n",
                 kernel.target.name, tableDriven, specialised, floor);
  fmt::format_to(out, "  {:<8} {:>14} {:>14} {:>11} {:>11} {:>11}  operands\n", "result",
                 "addresses", "entries", "driven_us", "special_us", "floor_us");
  const size_t shown = std::min(reports.size(), kOperationsShown);
  for (size_t i = 0; i < shown; ++i)
    explainOperation(program, reports[i], text);
  if (shown < reports.size())
    fmt::format_to(out, "  ... {} cheaper operations\n", reports.size() - shown);
  return text;
}

} // namespace

int runExplain(const Options &options) {
  KernelOptions kernel;
  kernel.target = targetNamed(options.target.empty() ? "sm_90" : options.target);
  kernel.type = options.type;
  kernel.valueForm = options.forcedLog ? ValueForm::Log : ValueForm::Linear;
  std::string text;
  for (const TableProgram &program : programsFor(options))
    text += (text.empty() ? "" : "\n") + explain(program, options, kernel);
  writeResult(options, text);
  return 0;
}

} // namespace mpf::driver
