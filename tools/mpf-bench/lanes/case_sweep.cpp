#include "tools/mpf-bench/lanes/case_sweep.h"

#include "codegen/bundle/lanes/shared_tables.h"
#include "dsl/support/check.h"
#include "dsl/support/system/thread_count.h"
#include "runtime/engine/refusal.h"
#include "runtime/execute/lanes/case_runner.h"
#include "tools/mpf-bench/measure/case_ways.h"
#include "tools/mpf-bench/measure/clock_seconds.h"
#include "tools/mpf-bench/measure/close_answers.h"
#include "tools/mpf-bench/measure/random_cases.h"
#include "tools/mpf-bench/measure/time_gpu_lanes.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace mpf::bench {

namespace {

constexpr unsigned kPasses = 5; ///< passes, each over a part of the rows; the fastest counts

/// Returns the number of entries that the steps of one lane read and write, in shared tables and in
/// messages.
uint64_t movedElems(const LaneProgram &program) {
  double moved = 0;
  for (const LaneStep &step : program.steps) {
    if (const auto *gather = std::get_if<LaneGather>(&step)) {
      moved += 2.0 * static_cast<double>(program.tables[gather->message].sizeElems);
      continue;
    }
    const auto &operation = std::get<LaneOperation>(step);
    moved += operation.addressesApproximately() * static_cast<double>(operation.operands.size()) +
             static_cast<double>(operation.keptAddresses());
  }
  return static_cast<uint64_t>(moved);
}

class Sweep {
public:
  Sweep(const std::string &path, const CaseBenchOptions &options)
      : options_(options),
        cases_(measuredCases(path, options.rows, options.observed, options.threads)),
        query_(shortQuery(cases_.model, kindOfTask(options.task))),
        type_(*elementTypeNamed(options.type)), plan_(planLanes()), rows_(cases_.block) {
    found_.model = path.substr(path.find_last_of('/') + 1);
    found_.query = query_.name;
    found_.type = options.type;
    describe();
  }

  CaseSweep run() {
    timeSingleRuns();
    for (const uint32_t v : options_.sweep) {
      if (v > rows_.count())
        fail(ErrorKind::Usage, "{} cases at a time, of {} rows", v, rows_.count());
      timeTables(v);
      if (!plan_)
        continue;
      if (deviceRequestOf(options_.device).requiresGpu()) {
        for (const char *kernel : {"threads", "teams", "table-driven"})
          timeOnGpu(v, kernel);
      } else {
        timeOnCpu(v);
      }
    }
    return std::move(found_);
  }

private:
  /// Returns none if lanes refuse: the tables of one case exceed the memory.
  std::optional<LanePlan> planLanes() const {
    try {
      return mpf::bench::planLanes(cases_, query_, options_);
    } catch (const Error &error) {
      if (!isRefusal(error))
        throw;
      return std::nullopt;
    }
  }

  const CaseSchema &schema() const { return cases_.schema; }

  unsigned threads() const { return threadCount(options_.threads); }

  void describe() {
    found_.device = options_.device;
    found_.columns = schema().observed.size() + schema().params.size();
    found_.rowBytes = schema().observed.size() * cases_.block.codeBytes() +
                      schema().weightCount() * sizeof(double);
    if (!plan_)
      return;
    const LaneProgram &program = plan_->program;
    common_.emplace(program);
    const uint64_t size = elementBytes(type_);
    found_.steps = program.steps.size();
    found_.messageBytes = program.laneElems * size;
    for (const uint32_t table : sharedTables(program))
      found_.sharedBytes += program.tables[table].sizeElems * size;
    for (const LaneOutput &output : program.outputs)
      found_.answerBytes += output.sizeElems() * sizeof(double);
    found_.movedBytes = movedElems(program) * size;
  }

  /// Returns the fastest of some passes. Each takes at least a share of the time for one way; if
  /// one pass takes all of the time, it is the only one. `bring` takes the number of its first row.
  SweepPoint timed(const std::string &way, uint32_t v, const std::function<void(uint64_t)> &bring,
                   const std::function<void()> &answer) const {
    SweepPoint best{way, v};
    uint64_t row = 0;
    double passed = 0;
    for (unsigned pass = 0; pass < kPasses && passed <= options_.seconds * 2; ++pass) {
      double in = 0, run = 0;
      const double worked = processSeconds();
      uint64_t times = 0;
      for (; times == 0 || in + run < options_.seconds / kPasses; ++times) {
        const double before = clockSeconds(false);
        bring(row);
        const double brought = clockSeconds(false);
        answer();
        run += clockSeconds(false) - brought;
        in += brought - before;
        row = (row + v) % rows_.count();
      }
      passed += in + run;
      const double scale = 1e6 / static_cast<double>(times);
      if (pass == 0 || (in + run) * scale < best.totalUs())
        best.inUs = in * scale, best.runUs = run * scale;
      const double processorUs = (processSeconds() - worked) * scale;
      if (pass == 0 || processorUs < best.processorUs)
        best.processorUs = processorUs;
    }
    return best;
  }

  void timeSingleRuns() {
    const auto engine = engineFor(AnswerForm::SingleRuns, cases_, query_, 1, options_);
    if (!engine)
      fail(ErrorKind::Unsupported,
           "{}: single runs do not answer the query, or one case exceeds the memory bound",
           found_.model);
    CaseBlock block(schema(), 1);
    CaseAnswers answers;
    const uint64_t checked = std::min<uint64_t>(options_.checked, rows_.count());
    const double began = clockSeconds(false);
    for (uint64_t row = 0; row < checked; ++row) {
      if (row != 0 && clockSeconds(false) - began > options_.seconds)
        break; // a single run of a large model is slow
      rows_.interleave(row, 1, block);
      engine->answer(block, answers);
      expected_.push_back(answers.tables.front().at(0)); // the evidence, or the best value
    }
    timeEngine("single runs", *engine, 1);
  }

  /// A program with a case variable (runtime/engine/tables/table_engine.h).
  void timeTables(uint32_t v) {
    const auto engine = engineFor(AnswerForm::Tables, cases_, query_, v, options_);
    if (!engine)
      return;
    CaseBlock block(schema(), v);
    CaseAnswers answers;
    rows_.interleave(0, v, block);
    engine->answer(block, answers);
    check(answers, {});
    timeEngine("tables", *engine, v);
  }

  void timeEngine(const std::string &way, const CaseEngine &engine, uint32_t v) {
    CaseBlock block(schema(), v);
    CaseAnswers answers;
    found_.points.push_back(timed(
        way, v, [&](uint64_t row) { rows_.interleave(row, v, block); },
        [&] { engine.answer(block, answers); }));
  }

  void timeOnCpu(uint32_t v) {
    CaseRunner runner(plan_->program, {threads()});
    CaseBlock block(schema(), v);
    CaseAnswers answers;
    rows_.interleave(0, v, block);
    runner.run(block, answers);
    check(answers, {});
    found_.device = runner.deviceName();
    found_.points.push_back(timed(
        "lanes", v, [&](uint64_t row) { rows_.interleave(row, v, block); },
        [&] { runner.run(block, answers); }));
    if (options_.profile)
      profileOnCpu(v);
  }

  /// Profiles steps in a separate run, because reading the clock takes time.
  void profileOnCpu(uint32_t v) {
    CaseRunnerOptions profiled{threads()};
    profiled.profile = true;
    CaseRunner runner(plan_->program, profiled);
    CaseBlock block(schema(), v);
    CaseAnswers answers;
    rows_.interleave(0, v, block);
    runner.run(block, answers); // touches the memory
    const std::vector<double> before = runner.stepSeconds();
    uint64_t times = 0;
    const double began = clockSeconds(false);
    do {
      runner.run(block, answers);
      ++times;
    } while (clockSeconds(false) - began < options_.seconds);
    std::vector<double> seconds = runner.stepSeconds();
    for (size_t i = 0; i < seconds.size(); ++i)
      seconds[i] = (seconds[i] - before[i]) / static_cast<double>(times * v);
    found_.profiledCases = v;
    found_.profile =
        sweepSteps(plan_->program, planLinear(plan_->program, *common_, type_), seconds);
  }

  void timeOnGpu(uint32_t v, const std::string &kernel) {
    CaseBlock block(schema(), v);
    rows_.interleave(0, v, block);
    const SweepPoint reorganised = timed(
        "", v, [&](uint64_t row) { rows_.interleave(row, v, block); }, [] {});
    rows_.interleave(0, v, block);
    const std::optional<GpuLaneTimes> times = timeGpuLanes(
        plan_->program, *common_, type_, block, options_.seconds, kernel, options_.teamWarps);
    if (!times) // the program is too large for it
      return;
    check(times->answers, times->left);
    found_.device = times->device;
    found_.points.push_back(
        {kernel, v, reorganised.inUs + times->uploadUs, times->bestUs(), times->fetchUs});
  }

  void check(const CaseAnswers &answers, const std::vector<uint32_t> &left) {
    ComparedAnswers compared;
    for (uint32_t i = 0; i < std::min<size_t>(expected_.size(), answers.count); ++i) {
      if (std::binary_search(left.begin(), left.end(), i))
        continue;
      const ScaledNumber found = answers.tables.front().at(i), right = expected_[i];
      compared.add(found, right, [i] { return fmt::format("row {}", i); });
    }
    compared.require(options_.type);
    found_.largestError = std::max(found_.largestError, compared.largestError);
  }

  const CaseBenchOptions options_;
  const MeasuredCases cases_;
  const Query query_;
  const ElementType type_;
  const std::optional<LanePlan> plan_;
  std::optional<CommonTables> common_; ///< common tables of the plan
  const CaseRows rows_;
  CaseSweep found_;
  std::vector<ScaledNumber> expected_; ///< by row
};

} // namespace

CaseSweep sweepCases(const std::string &path, const CaseBenchOptions &options) {
  return Sweep(path, options).run();
}

} // namespace mpf::bench
