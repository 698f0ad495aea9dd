#include "runtime/simt/tables/check_tables.h"

#include "runtime/execute/cpu_executor.h"
#include "runtime/execute/host/bind_input.h"
#include "runtime/execute/host/held_states.h"
#include "runtime/schedule/build_schedule.h"
#include "runtime/simt/tables/table_driven_executor.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace mpf::simt {

namespace {

constexpr size_t kMostWrongTables = 3;

/// Returns log2 |value|, or the value itself if tables hold plain values.
double measureOf(const TableView &table, uint64_t i, bool isPlain) {
  return isPlain ? table.entry(i) : table.log2Entry(i) + table.state.scale;
}

/// Returns "2^3.5" or "-2^3.5"; for plain tables "-1.5".
std::string textOf(const TableView &table, uint64_t i, bool isPlain) {
  return fmt::format("{}{}{:.12g}", !isPlain && table.sign(i) < 0 ? "-" : "", isPlain ? "" : "2^",
                     measureOf(table, i, isPlain));
}

/// Describes the first entry that differs, or returns none if the tables agree.
std::optional<std::string> differenceOf(const std::string &name, const TableView &found,
                                        const TableView &expected, bool isPlain) {
  const double tolerance = found.type == ElementType::F32 ? 3e-5 : 1e-11;
  for (uint64_t i = 0; i < expected.sizeElems; ++i) {
    if (isIntegerType(found.type) && found.whole(i) == expected.whole(i))
      continue;
    const double is = measureOf(found, i, isPlain), wanted = measureOf(expected, i, isPlain);
    const bool isSignRight = isPlain || std::isinf(wanted) || found.sign(i) == expected.sign(i);
    const bool isClose =
        !isIntegerType(found.type) && isSignRight &&
        (is == wanted || std::abs(is - wanted) <= tolerance * std::max(1.0, std::abs(wanted)));
    if (!isClose)
      return fmt::format("entry {} of {} is {}, it should be {}", i, name,
                         textOf(found, i, isPlain), textOf(expected, i, isPlain));
  }
  return std::nullopt;
}

/// Thrown when a launch was stopped: later launches would lack its results.
struct Stopped {};

/// Runs the program on `device`, whose launches may throw Stopped, and on the host, and compares.
void compareTables(TableDrivenExecutor &device, const Bundle &bundle,
                   std::vector<TableProblem> &problems) {
  bindTables(bundle, device);
  device.run({}, {});
  const std::unique_ptr<Executor> host = makeCpuExecutor(bundle, {1, {}, {}});
  bindTables(bundle, *host);
  host->run(buildSchedule(bundle, DeviceId::cpu()).steps, {true, 4});
  size_t wrong = 0;
  // Only outputs are compared, because other tables may share memory with later ones.
  for (const BundleOutput &output : bundle.outputs) {
    const BufferId result = output.buffer;
    const std::optional<std::string> difference =
        differenceOf(bundle.buffer(result).name, device.table(result), host->table(result),
                     hasPlainTables(bundle));
    if (difference && ++wrong <= kMostWrongTables)
      problems.push_back({"mpf_level", {0, *difference}});
  }
  const std::vector<uint32_t> given =
      startsFrom(bundle, std::vector<uint32_t>(bundle.variables.size(), 0));
  if (traitsOf(bundle.kind).decoding && device.decode({given}) != host->decode({given}))
    problems.push_back({"mpf_traceback", {0, "another assignment than the best is decoded"}});
}

} // namespace

std::vector<TableProblem> checkTables(Program &compiled, const Bundle &bundle, JoinLevels joins) {
  std::vector<TableProblem> problems;
  TableDrivenExecutor device(tableDrivenProgram(bundle), compiled, joins,
                             [&problems](const std::string &kernel, const Report &report) {
                               for (const Fault &fault : report.faults)
                                 problems.push_back({kernel, problemOf(fault)});
                               if (report.has(FaultKind::EndlessLoop))
                                 throw Stopped();
                             });
  try {
    compareTables(device, bundle, problems);
  } catch (const Stopped &) {
    // The fault is among the problems.
  }
  return problems;
}

} // namespace mpf::simt
