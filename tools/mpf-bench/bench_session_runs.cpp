#include "tools/mpf-bench/bench_session_runs.h"

#include "codegen/bundle/bundle.h"
#include "dsl/support/check.h"
#include "dsl/support/system/system_text.h"
#include "runtime/api/session.h"
#include "tools/mpf-bench/measure/clock_seconds.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fmt/core.h>
#include <unistd.h>

namespace mpf::bench {

namespace {

/// Growth below this size is no leak: allocators and drivers may keep such memory.
constexpr uint64_t kGrowthBytes = 4 << 20;

struct ProcessState {
  uint64_t residentBytes = 0, threads = 0, files = 0;
};

ProcessState processState() {
  ProcessState state;
  const std::string sizes = systemText("/proc/self/statm"); // pages: all, resident, ...
  const size_t second = sizes.find(' ') + 1;
  std::from_chars(sizes.data() + second, sizes.data() + sizes.size(), state.residentBytes);
  state.residentBytes *= static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  const auto count = [](const char *folder) {
    return static_cast<uint64_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
  };
  state.threads = count("/proc/self/task");
  state.files = count("/proc/self/fd");
  return state;
}

bool grew(const ProcessState &from, const ProcessState &to) {
  return to.residentBytes > from.residentBytes + kGrowthBytes || to.threads > from.threads ||
         to.files > from.files;
}

bool sameBits(const std::vector<double> &a, const std::vector<double> &b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

bool sameResult(const Result &a, const Result &b) {
  const auto sameTable = [](const ResultTable &x, const ResultTable &y) {
    return x.exponent == y.exponent && x.signs == y.signs && x.integerEntries == y.integerEntries &&
           sameBits(x.entries, y.entries);
  };
  const auto sameAssignment = [](const ResultAssignment &x, const ResultAssignment &y) {
    return x.states == y.states;
  };
  return a.zeroProbability == b.zeroProbability &&
         std::ranges::equal(a.tables, b.tables, sameTable) &&
         std::ranges::equal(a.assignments, b.assignments, sameAssignment);
}

/// Two sets of values of one factor that take turns: the model's, and other values that it may
/// have.
struct Turns {
  std::string factor; ///< empty: no factor has values
  std::array<std::vector<double>, 2> values;
};

/// Returns half of the values, or the values of each row in reverse: rows of a conditional table
/// sum to 1.
std::vector<double> otherValues(std::vector<double> values, uint64_t rowElems) {
  if (rowElems == 0)
    for (double &value : values)
      value /= 2;
  else
    for (auto row = values.begin(); row != values.end(); row += static_cast<ptrdiff_t>(rowElems))
      std::reverse(row, row + static_cast<ptrdiff_t>(rowElems));
  return values;
}

Turns turnsOf(const Bundle &bundle) {
  Turns turns;
  for (const BundleInput &input : bundle.inputs)
    if (input.table && !input.raw) {
      turns.factor = input.factor;
      turns.values[0] = *bundle.tables[*input.table];
      turns.values[1] = otherValues(turns.values[0], input.rowElems);
      break;
    }
  return turns;
}

bool isSteady(const std::string &model, const Program &program, const std::string &schedule,
              const RunBenchOptions &options) {
  const Turns turns = turnsOf(program.bundle());
  if (turns.factor.empty())
    fail(ErrorKind::Usage, "{}: no factor has values that could change between runs", model);
  SessionOptions running;
  running.device = options.device;
  running.schedule = placementMethodName(options.devicesFor(schedule).spread);
  running.threads = options.threads;
  running.resident = options.resident;
  running.slicesAtOnce = options.slicesAtOnce;
  running.expectedRuns = options.expectedRuns;
  Session session(program, running);
  std::array<Result, 2> first;
  size_t different = 0;
  const auto run = [&](uint64_t i) {
    session.bind(turns.factor, turns.values[i % 2]);
    Result result = session.run();
    if (i < 2)
      first[i] = std::move(result);
    else
      different += !sameResult(result, first[i % 2]);
  };
  const uint64_t runs = std::max<uint64_t>(options.sessionRuns, 4), settled = runs / 100 + 2;
  for (uint64_t i = 0; i < settled; ++i)
    run(i);
  const ProcessState before = processState();
  const double start = clockSeconds(false);
  for (uint64_t i = settled; i < runs; ++i)
    run(i);
  const double runUs = (clockSeconds(false) - start) * 1e6 / static_cast<double>(runs - settled);
  const ProcessState after = processState();
  const bool larger = grew(before, after);
  fmt::print("{} {} {}: {} runs of a session, {:.2f} us each; resident {:.1f} -> {:.1f} MiB, "
             "threads {} -> {}, files {} -> {}{}; {} results differ\n",
             model, options.type, first[0].device, runs, runUs,
             static_cast<double>(before.residentBytes) / (1 << 20),
             static_cast<double>(after.residentBytes) / (1 << 20), before.threads, after.threads,
             before.files, after.files, larger ? ": GREW" : "", different);
  return !larger && different == 0;
}

} // namespace

size_t benchSessionRuns(const RunBenchOptions &options) {
  size_t unsteady = 0;
  for (const std::string &model : options.models) {
    const Program program = compileForRuns(model, options);
    for (const std::string &schedule : options.schedules)
      unsteady += !isSteady(model, program, schedule, options);
  }
  return unsteady;
}

} // namespace mpf::bench
