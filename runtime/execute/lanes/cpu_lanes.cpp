#include "runtime/execute/lanes/cpu_lanes.h"

#include "codegen/bundle/lanes/lane_addresses.h"
#include "codegen/bundle/lanes/shared_tables.h"
#include "dsl/support/check.h"
#include "dsl/support/system/watched_call.h"
#include "runtime/execute/host/aligned_memory.h"
#include "runtime/execute/lanes/compiled/compiled_strips.h"
#include "runtime/execute/lanes/kernels/lane_kernels.h"
#include "runtime/execute/lanes/lane_launch.h"
#include "runtime/execute/lanes/lane_traceback.h"
#include "runtime/execute/lanes/lane_weight.h"
#include "runtime/execute/lanes/strip_codes.h"
#include "runtime/execute/lanes/strip_memory.h"
#include "runtime/execute/lanes/strip_operands.h"
#include "runtime/execute/lanes/strip_steps.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <ctime>
#include <limits>

namespace mpf {

namespace {

/// A worker: the memory of one strip.
template <class T> struct Worker {
  AlignedMemory arena;                   ///< messages: entries x lanes
  std::vector<T> weights;                ///< entries x lanes
  std::vector<int32_t> exponents;        ///< messages that have exponents x lanes
  std::vector<uint8_t> left;             ///< by lane: whether it leaves linear arithmetic
  StripRange<T> range{};                 ///< range of the last written table, if it is needed
  StripCodes codes;                      ///< codes of the current strip
  std::vector<double> stepSeconds;       ///< by step, over all strips; empty: not measured
  std::vector<const std::byte *> picked; ///< by column of a gather: its codes
};

/// Returns the thread's processor time, which excludes other work of the machine.
double threadSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// One strip of a block.
struct StripTask {
  const CaseBlock &block;
  CaseAnswers &answers;
  uint32_t first, count; ///< cases of the strip
};

template <class T> class CpuLanes final : public LaneExecutor {
public:
  CpuLanes(const LaneProgram &program, const CommonTables &common, const LinearPlan &plan,
           ThreadPool &pool, const CpuLaneOptions &options);

  std::string deviceName() const override;
  uint64_t casesAtOnce() const override { return workers_.size() * kernels_->lanes; }
  void run(const CaseBlock &block, CaseAnswers &answers, std::vector<uint32_t> &left) override;
  std::vector<double> stepSeconds() const override;

private:
  void prepareTables(const CommonTables &common);
  void addWorkers();
  void runStrip(const StripTask &task, Worker<T> &worker) const;
  void loadWeights(const StripTask &task, Worker<T> &worker) const;
  void runStep(size_t index, const StripTask &task, Worker<T> &worker) const;
  void runCompiled(void *function, Worker<T> &worker) const;
  void runGather(const StripStep &step, const StripTask &task, Worker<T> &worker) const;
  void runProduct(const StripStep &step, Worker<T> &worker) const;
  void runButterfly(const StripStep &step, Worker<T> &worker) const;
  /// Sets the addresses at which a step's kernel writes the result and its range.
  template <class Nest> void setResult(const StripStep &step, Worker<T> &worker, Nest &nest) const;
  void addExponents(const StripStep &step, Worker<T> &worker) const;
  void rescale(uint32_t table, Worker<T> &worker) const;
  int32_t *exponentsOf(uint32_t table, Worker<T> &worker) const;
  int32_t exponentOf(const LaneOutput &output, uint32_t lane, Worker<T> &worker) const;
  void write(size_t output, const StripTask &task, Worker<T> &worker) const;
  void decode(const StripTask &task, const Worker<T> &worker) const;
  const T *entriesOf(uint32_t table, const Worker<T> &worker) const;
  T *messageOf(uint32_t table, Worker<T> &worker) const;

  const LaneProgram &program_;
  const LinearPlan plan_;
  ThreadPool &pool_;
  const StripMemory memory_;
  const StripKernels<T> *const kernels_;
  StripPlaces places_;    ///< places in shared_ and in a worker's memory
  std::vector<T> shared_; ///< tables that all cases share, scaled
  CompiledStrips compiled_;
  std::vector<StripStep> steps_;
  std::vector<std::vector<uint64_t>> outputs_; ///< outputAddresses, by output
  std::vector<Worker<T>> workers_;
  const LaneDecoder decoder_;
  std::vector<char> mayVanish_; ///< by output: whether shares may (linear_plan.h)
};

template <class T>
CpuLanes<T>::CpuLanes(const LaneProgram &program, const CommonTables &common,
                      const LinearPlan &plan, ThreadPool &pool, const CpuLaneOptions &options)
    : program_(program), plan_(plan), pool_(pool),
      memory_(planStripMemory(program, plan, kEntryType<T>, pool.threadCount(), options.maxBytes)),
      kernels_(memory_.isWide ? &laneKernels<T>().wide : &laneKernels<T>().narrow),
      places_(placeStrip(program, plan, memory_.schedule, kernels_->lanes, kernels_->vectorLanes)),
      decoder_(program) {
  MPF_CHECK(plan.possible, "query {} is not linear", program.name);
  addWorkers(); // first, because other members may be large
  prepareTables(common);
  steps_ = stripSteps(program, memory_.schedule, memory_.nests);
  for (size_t output = 0; output < program.outputs.size(); ++output) {
    outputs_.push_back(outputAddresses(program.outputs[output]));
    mayVanish_.push_back(mayVanish(program, plan, output, ElementType::F64) ? 1 : 0);
  }
  compiled_ = CompiledStrips(
      stripsToCompile(program, common, plan, kEntryType<T>, memory_, options.own.expectedRuns),
      options.own);
  if (options.profile)
    for (Worker<T> &worker : workers_)
      worker.stepSeconds.assign(steps_.size(), 0);
}

template <class T> void CpuLanes<T>::addWorkers() {
  const size_t lanes = kernels_->lanes, columns = program_.schema.observed.size();
  MPF_CHECK(lanes == memory_.lanes, "strips of {} cases, memory for {}", lanes, memory_.lanes);
  for (uint64_t i = 0; i < memory_.workers; ++i) {
    const uint64_t arenaBytes = memory_.schedule.laneElems * lanes * sizeof(T);
    workers_.push_back({AlignedMemory(std::max<uint64_t>(arenaBytes, 1), "messages of cases"),
                        std::vector<T>(program_.schema.weightCount() * lanes),
                        std::vector<int32_t>(places_.exponentCount * lanes),
                        std::vector<uint8_t>(lanes),
                        {},
                        StripCodes(columns, lanes),
                        {},
                        {}});
  }
}

template <class T> void CpuLanes<T>::prepareTables(const CommonTables &common) {
  for (const uint32_t index : sharedTables(program_)) {
    MPF_CHECK(places_.shared[index] == shared_.size(), "table {} is not at its place", index);
    for (const WideNumber &entry : common.table(index))
      shared_.push_back(static_cast<T>(std::ldexp(
          entry.mantissa,
          entry.mantissa == 0 ? 0 : static_cast<int>(entry.exponent - plan_.scales[index]))));
  }
  shared_.resize(shared_.size() + kReadBehindShared, T{0});
}

template <class T> std::string CpuLanes<T>::deviceName() const {
  return fmt::format("cpu ({}, {} thread{}{})", laneKernels<T>().name, workers_.size(),
                     workers_.size() == 1 ? "" : "s",
                     compiledCountText(compiled_.count(), compiled_.failed(), compiled_.note()));
}

template <class T> std::vector<double> CpuLanes<T>::stepSeconds() const {
  std::vector<double> seconds(workers_.front().stepSeconds.size(), 0);
  for (const Worker<T> &worker : workers_)
    for (size_t i = 0; i < seconds.size(); ++i)
      seconds[i] += worker.stepSeconds[i];
  return seconds;
}

template <class T> const T *CpuLanes<T>::entriesOf(uint32_t index, const Worker<T> &worker) const {
  const LaneTable &table = program_.tables[index];
  switch (table.kind) {
  case LaneTableKind::Message:
    return reinterpret_cast<const T *>(worker.arena.data()) +
           places_.messages[index] * kernels_->lanes;
  case LaneTableKind::Weights:
    return worker.weights.data() + places_.weightRows[index] * kernels_->lanes;
  case LaneTableKind::Values:
  case LaneTableKind::Common:
    return shared_.data() + places_.shared[index];
  case LaneTableKind::Indicator:
    break;
  }
  MPF_UNREACHABLE("kind of table {}", static_cast<int>(table.kind));
}

template <class T>
void CpuLanes<T>::run(const CaseBlock &block, CaseAnswers &answers, std::vector<uint32_t> &left) {
  const auto lanes = static_cast<uint32_t>(kernels_->lanes);
  const size_t strips = (size_t{block.count} + lanes - 1) / lanes;
  std::vector<uint8_t> isLeft(strips * lanes, 0);
  std::atomic<size_t> next{0}; // shared, because there may be fewer workers than threads
  pool_.run(workers_.size(), [&](size_t number, size_t) {
    Worker<T> &worker = workers_[number];
    for (size_t index = next++; index < strips; index = next++) {
      const auto first = static_cast<uint32_t>(index * lanes);
      throwIfCancelled();
      runStrip({block, answers, first, std::min(lanes, block.count - first)}, worker);
      std::copy(worker.left.begin(), worker.left.end(), isLeft.begin() + first);
    }
  });
  left.clear();
  for (uint32_t i = 0; i < block.count; ++i)
    if (isLeft[i] != 0)
      left.push_back(i);
}

template <class T> void CpuLanes<T>::loadWeights(const StripTask &task, Worker<T> &worker) const {
  const size_t lanes = kernels_->lanes, rows = program_.schema.weightCount();
  for (size_t row = 0; row < rows; ++row) {
    const double *const given = task.block.weights().data() + row * task.block.pitch() + task.first;
    for (size_t lane = 0; lane < lanes; ++lane)
      worker.weights[row * lanes + lane] = lane < task.count ? laneWeight<T>(given[lane]) : T{1};
  }
  for (uint32_t i = 0; rows != 0 && i < program_.tables.size(); ++i)
    if (program_.tables[i].kind == LaneTableKind::Weights) {
      std::fill_n(exponentsOf(i, worker), lanes, 0);
      kernels_->measure(entriesOf(i, worker), program_.tables[i].sizeElems, worker.range);
      rescale(i, worker);
    }
}

template <class T> T *CpuLanes<T>::messageOf(uint32_t index, Worker<T> &worker) const {
  MPF_CHECK(program_.tables[index].kind == LaneTableKind::Message, "a step writes {}",
            program_.tables[index].name);
  return reinterpret_cast<T *>(worker.arena.data()) + places_.messages[index] * kernels_->lanes;
}

template <class T> int32_t *CpuLanes<T>::exponentsOf(uint32_t table, Worker<T> &worker) const {
  return worker.exponents.data() + places_.exponentRows[table] * kernels_->lanes;
}

/// Sets the exponents of a product to the sums of its operands' exponents.
template <class T> void CpuLanes<T>::addExponents(const StripStep &step, Worker<T> &worker) const {
  if (plan_.hasExponent[step.result] == 0)
    return;
  const size_t lanes = kernels_->lanes;
  int32_t *const to = exponentsOf(step.result, worker);
  std::fill_n(to, lanes, 0);
  for (const uint32_t table : step.tables) {
    if (plan_.hasExponent[table] == 0)
      continue;
    const int32_t *const from = exponentsOf(table, worker);
    for (size_t lane = 0; lane < lanes; ++lane)
      to[lane] += from[lane];
  }
}

/// Rescales the last written table, whose range is in `worker.range`.
template <class T> void CpuLanes<T>::rescale(uint32_t table, Worker<T> &worker) const {
  if (plan_.rescaled[table] == 0)
    return;
  kernels_->rescale({const_cast<T *>(entriesOf(table, worker)), program_.tables[table].sizeElems,
                     &worker.range, plan_.greatestExponent, plan_.orders,
                     exponentsOf(table, worker), worker.left.data()});
}

template <class T>
void CpuLanes<T>::runGather(const StripStep &step, const StripTask &task, Worker<T> &worker) const {
  worker.picked.clear();
  for (const uint32_t column : step.columns)
    worker.picked.push_back(worker.codes.column(column));
  kernels_->rows({step.isIndicator ? nullptr : entriesOf(step.table, worker),
                  program_.tables[step.result].sizeElems, step.columns.size(), worker.picked.data(),
                  step.strides.data(), task.block.codeBytes(), messageOf(step.result, worker)});
  if (plan_.rescaled[step.result] != 0)
    kernels_->measure(messageOf(step.result, worker), program_.tables[step.result].sizeElems,
                      worker.range);
}

template <class T>
template <class Nest>
void CpuLanes<T>::setResult(const StripStep &step, Worker<T> &worker, Nest &nest) const {
  nest.result = messageOf(step.result, worker);
  nest.range = plan_.rescaled[step.result] != 0 ? &worker.range : nullptr;
}

template <class T> void CpuLanes<T>::runProduct(const StripStep &step, Worker<T> &worker) const {
  LaneProduct<T> product =
      productAt<T>(step, [&](uint32_t table) { return entriesOf(table, worker); });
  setResult(step, worker, product);
  (step.isMax ? kernels_->max : kernels_->sum)(product);
}

template <class T> void CpuLanes<T>::runButterfly(const StripStep &step, Worker<T> &worker) const {
  LaneButterfly<T> butterfly =
      butterflyAt<T>(step, [&](uint32_t table) { return entriesOf(table, worker); });
  setResult(step, worker, butterfly);
  (step.isMax ? kernels_->maxButterfly : kernels_->sumButterfly)(butterfly);
}

template <class T> void CpuLanes<T>::runCompiled(void *function, Worker<T> &worker) const {
  reinterpret_cast<StripFunction<T>>(function)(
      shared_.data(), worker.weights.data(), reinterpret_cast<T *>(worker.arena.data()),
      worker.codes.columns(), worker.exponents.data(), worker.left.data());
}

template <class T>
void CpuLanes<T>::runStep(size_t index, const StripTask &task, Worker<T> &worker) const {
  const StripStep &step = steps_[index];
  if (void *const function = compiled_.function(index); function != nullptr)
    return runCompiled(function, worker);
  if (!step.runs || compiled_.runs(index))
    return;
  if (step.isGather)
    runGather(step, task, worker);
  else if (step.butterfly)
    runButterfly(step, worker);
  else
    runProduct(step, worker);
  addExponents(step, worker);
  rescale(step.result, worker);
}

template <class T> void CpuLanes<T>::runStrip(const StripTask &task, Worker<T> &worker) const {
  std::fill(worker.left.begin(), worker.left.end(), uint8_t{0});
  worker.codes.take(task.block, task.first, task.count);
  loadWeights(task, worker);
  for (size_t i = 0; i < steps_.size(); ++i) {
    if (worker.stepSeconds.empty()) {
      runStep(i, task, worker);
      continue;
    }
    const double began = threadSeconds();
    runStep(i, task, worker);
    worker.stepSeconds[i] += threadSeconds() - began;
  }
  for (size_t o = 0; o < program_.outputs.size(); ++o)
    write(o, task, worker);
  if (task.answers.variables != 0)
    decode(task, worker);
}

template <class T> void CpuLanes<T>::decode(const StripTask &task, const Worker<T> &worker) const {
  for (uint32_t lane = 0; lane < task.count; ++lane)
    decoder_.decode(
        [&](uint32_t table, uint64_t address) {
          const bool perCase = program_.tables[table].perCase();
          const T entry =
              entriesOf(table, worker)[perCase ? address * kernels_->lanes + lane : address];
          return WideNumber::of(static_cast<double>(entry));
        },
        task.answers.states.data() + (task.first + lane) * task.answers.variables);
}

template <class T>
int32_t CpuLanes<T>::exponentOf(const LaneOutput &output, uint32_t lane, Worker<T> &worker) const {
  const uint32_t table = output.access.table;
  const int32_t own = plan_.hasExponent[table] == 0 ? 0 : exponentsOf(table, worker)[lane];
  return static_cast<int32_t>(plan_.scales[table]) + own;
}

template <class T>
void CpuLanes<T>::write(size_t output, const StripTask &task, Worker<T> &worker) const {
  const LaneOutput &made = program_.outputs[output];
  CaseTable &table = task.answers.tables[output];
  for (uint32_t lane = 0; lane < task.count; ++lane)
    table.exponents[task.first + lane] = made.normalised ? 0 : exponentOf(made, lane, worker);
  kernels_->answers({entriesOf(made.access.table, worker), outputs_[output].data(), table.size,
                     made.normalised, mayVanish_[output] != 0, task.count,
                     table.entries.data() + size_t{task.first} * table.size, worker.left.data()});
}

} // namespace

std::unique_ptr<LaneExecutor> makeCpuLanes(const LaneProgram &program, const CommonTables &common,
                                           const LinearPlan &plan, ElementType type,
                                           ThreadPool &pool, const CpuLaneOptions &options) {
  if (type == ElementType::F32)
    return std::make_unique<CpuLanes<float>>(program, common, plan, pool, options);
  MPF_CHECK(type == ElementType::F64, "lanes of {}", elementTypeName(type));
  return std::make_unique<CpuLanes<double>>(program, common, plan, pool, options);
}

} // namespace mpf
