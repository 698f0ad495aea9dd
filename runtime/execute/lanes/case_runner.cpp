#include "runtime/execute/lanes/case_runner.h"

#include "dsl/support/check.h"
#include "dsl/support/numbers/row_sums.h"
#include "dsl/support/system/watched_call.h"
#include "runtime/execute/host/gpu_or_cpu.h"
#include "runtime/execute/lanes/runner_memory.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>
#include <utility>

namespace mpf {

namespace {

/// Returns the cases `which` of a block as a separate block.
CaseBlock selectCases(const LaneProgram &program, const CaseBlock &block,
                      const std::vector<uint32_t> &which) {
  CaseBlock selected(program.schema, static_cast<uint32_t>(which.size()));
  selected.first = block.first;
  selected.count = static_cast<uint32_t>(which.size());
  for (uint32_t i = 0; i < which.size(); ++i) {
    for (size_t column = 0; column < block.columns(); ++column)
      selected.setCode(column, i, block.code(column, which[i]));
    for (size_t row = 0; row < program.schema.weightCount(); ++row)
      selected.weights()[row * selected.pitch() + i] =
          block.weights()[row * block.pitch() + which[i]];
    if (const auto far = block.far.find(which[i]); far != block.far.end())
      selected.far[i] = far->second;
  }
  return selected;
}

void copyAnswers(const CaseAnswers &from, const std::vector<uint32_t> &which, CaseAnswers &to) {
  for (size_t t = 0; t < to.tables.size(); ++t) {
    const size_t size = to.tables[t].size;
    for (uint32_t i = 0; i < which.size(); ++i) {
      std::copy_n(from.tables[t].entries.data() + i * size, size,
                  to.tables[t].entries.data() + which[i] * size);
      to.tables[t].exponents[which[i]] = from.tables[t].exponents[i];
    }
    for (const auto &[i, entries] : from.tables[t].farApart)
      to.tables[t].farApart[which[i]] = entries;
  }
  for (uint32_t i = 0; i < which.size(); ++i)
    std::copy_n(from.states.data() + i * to.variables, to.variables,
                to.states.data() + which[i] * to.variables);
}

/// Throws for values that the query does not allow. Maxima of products need values that are not
/// negative.
void checkValues(const LaneProgram &program, std::string_view factor,
                 std::span<const double> values) {
  const bool mayBeNegative = program.semiring.reduce == Reduce::Sum;
  for (size_t e = 0; e < values.size(); ++e) {
    if (!std::isfinite(values[e]))
      fail(ErrorKind::BadInput, "factor {}: entry {} is {}, not a finite number", factor, e,
           values[e]);
    if (values[e] < 0 && !mayBeNegative)
      fail(ErrorKind::BadInput, "factor {}: entry {} is {}, but query {} takes maxima of products",
           factor, e, values[e], program.name);
  }
}

} // namespace

CaseRunner::CaseRunner(const LaneProgram &program, const CaseRunnerOptions &options)
    : program_(program), options_(options), pool_(options.threads), bound_(program.values.size()) {}

CaseRunner::~CaseRunner() = default;

void CaseRunner::bind(std::string_view factor, std::span<const double> values) {
  bool found = false;
  for (size_t i = 0; i < program_.values.size(); ++i) {
    const LaneValues &declared = program_.values[i];
    if (declared.factor.empty() || declared.factor != factor)
      continue;
    if (values.size() != declared.sizeElems)
      fail(ErrorKind::Usage, "input {} has {} entries, {} values were given", factor,
           declared.sizeElems, values.size());
    checkValues(program_, factor, values);
    requireRows(factor, {values, values.size()}, declared.rowElems);
    bound_[i].assign(values.begin(), values.end());
    found = true;
  }
  if (!found)
    fail(ErrorKind::Usage, "the program has no input {}", factor);
  common_.reset();
}

void CaseRunner::prepare() {
  std::vector<std::span<const double>> values;
  for (size_t i = 0; i < program_.values.size(); ++i) {
    const LaneValues &declared = program_.values[i];
    if (bound_[i].empty() && declared.values == nullptr)
      fail(ErrorKind::Usage, "input {} was not bound", declared.factor);
    values.push_back(bound_[i].empty() ? std::span(*declared.values) : std::span(bound_[i]));
  }
  const RunnerMemory memory = divideRunnerMemory(program_, pool_.threadCount(), options_.maxBytes);
  auto common = std::make_unique<CommonTables>(program_, values);
  levels_.clear();
  wide_.clear();
  for (uint64_t i = 0; i < memory.wideWorkers; ++i)
    wide_.emplace_back(program_, *common);
  linearBytes_ = memory.linearBytes;
  common_ = std::move(common);
  if (program_.type == ElementType::F32)
    addLevel(ElementType::F32);
  addLevel(ElementType::F64);
  if (options_.device && !levels_.empty())
    openLaterLevels();
}

/// Makes the executors of later levels before the first block, because an error during the run
/// would end it. If their memory does not fit, wide numbers answer their cases.
void CaseRunner::openLaterLevels() {
  try {
    for (size_t level = 1; level < levels_.size(); ++level)
      executorOf(levels_[level]);
  } catch (const Error &error) {
    if (error.kind() != ErrorKind::MemoryBound)
      throw;
    levels_.resize(1);
  }
}

void CaseRunner::addLevel(ElementType type) {
  LinearPlan plan = planLinear(program_, *common_, type);
  if (plan.possible)
    levels_.push_back({type, std::move(plan), nullptr});
}

LaneExecutor &CaseRunner::executorOf(Level &level) {
  if (level.executor == nullptr)
    level.executor =
        isOfDevice(level)
            ? options_.device(program_, *common_, level.plan, level.type, pool_)
            : makeCpuLanes(program_, *common_, level.plan, level.type, pool_, cpuOptions(level));
  return *level.executor;
}

/// Returns the options of a level on the CPU. Later levels have too few cases to compile anything.
CpuLaneOptions CaseRunner::cpuOptions(const Level &level) const {
  const bool isBound = std::ranges::any_of(
      bound_, [](const std::vector<double> &values) { return !values.empty(); });
  CpuLaneOptions cpu{boundOf(level), options_.profile, {}};
  if (&level == &levels_.front() && !options_.device && !isBound)
    cpu.own = options_.own;
  return cpu;
}

bool CaseRunner::isOfDevice(const Level &level) const {
  return options_.device && &level == &levels_.front() && deviceFault_.empty();
}

/// Returns the device's executor; null: there is no device, or it was given up.
std::shared_ptr<LaneExecutor> CaseRunner::device() {
  const std::lock_guard lock(mutex_);
  if (levels_.empty() || !isOfDevice(levels_.front()))
    return nullptr;
  executorOf(levels_.front());
  return levels_.front().executor;
}

/// Gives up the device after `device`, or making it (null), has failed.
void CaseRunner::leaveDevice(const LaneExecutor *device, std::string fault) {
  const std::lock_guard lock(mutex_);
  Level &level = levels_.front();
  if (level.executor.get() != device || !isOfDevice(level)) // given up already
    return;
  deviceFault_ = std::move(fault);
  level.executor.reset();
}

/// Answers the block on the device. Returns false if there is no device or it was given up.
bool CaseRunner::runDevice(Level &level, const CaseBlock &block, CaseAnswers &answers,
                           std::vector<uint32_t> &left) {
  if (&level != &levels_.front())
    return false;
  std::shared_ptr<LaneExecutor> executor;
  const auto onGpu = [&] {
    executor = device();
    if (executor == nullptr)
      return false;
    executor->run(block, answers, left);
    return true;
  };
  const auto leave = [&](std::string fault) {
    leaveDevice(executor.get(), std::move(fault));
    return false;
  };
  return onGpuOrCpu(options_.mayLeaveDevice, onGpu, leave);
}

void CaseRunner::runExecutor(Level &level, const CaseBlock &block, CaseAnswers &answers,
                             std::vector<uint32_t> &left) {
  if (runDevice(level, block, answers, left))
    return;
  left.clear();
  LaneExecutor *cpu = nullptr; // the level keeps it
  {
    const std::lock_guard lock(mutex_);
    cpu = &executorOf(level);
  }
  const std::lock_guard lock(cpu_);
  cpu->run(block, answers, left);
}

uint64_t CaseRunner::boundOf(const Level &level) const {
  std::vector<ElementType> types;
  for (const Level &one : levels_)
    types.push_back(one.type);
  return linearPart(linearBytes_, level.type, types);
}

std::string CaseRunner::deviceName() {
  if (common_ == nullptr)
    prepare();
  return levels_.empty() ? "cpu (wide numbers)" : executorOf(levels_.front()).deviceName();
}

uint64_t CaseRunner::casesAtOnce() {
  if (common_ == nullptr)
    prepare();
  return levels_.empty() ? wide_.size() : executorOf(levels_.front()).casesAtOnce();
}

DeviceLanes *CaseRunner::onDevice() {
  if (common_ == nullptr)
    prepare();
  return levels_.empty() ? nullptr : executorOf(levels_.front()).onDevice();
}

std::vector<double> CaseRunner::stepSeconds() const {
  if (levels_.empty() || levels_.front().executor == nullptr)
    return {};
  return levels_.front().executor->stepSeconds();
}

uint64_t CaseRunner::allocatedBytes() const {
  uint64_t bytes = 0;
  for (const Level &level : levels_)
    bytes += level.executor == nullptr ? 0 : level.executor->allocatedBytes();
  return bytes;
}

void CaseRunner::run(const CaseBlock &block, CaseAnswers &answers) {
  {
    const std::lock_guard lock(mutex_);
    if (common_ == nullptr)
      prepare();
    counts_.cases += block.count;
  }
  shapeAnswers(program_, block.count, answers);
  runLevel(0, block, answers);
  clearImpossible(answers);
}

void CaseRunner::runWide(const CaseBlock &block, CaseAnswers &answers) {
  {
    const std::lock_guard lock(mutex_);
    counts_.wide += block.count;
  }
  const std::lock_guard lock(cpu_);
  std::atomic<uint64_t> next{0}; // 64 bits, because workers count beyond block.count
  pool_.run(wide_.size(), [&](size_t number, size_t) {
    for (uint64_t i = next++; i < block.count; i = next++, throwIfCancelled())
      wide_[number].run(block, static_cast<uint32_t>(i), answers);
  });
}

void CaseRunner::runLevel(size_t level, const CaseBlock &block, CaseAnswers &answers) {
  if (level == levels_.size())
    return runWide(block, answers);
  std::vector<uint32_t> left;
  runExecutor(levels_[level], block, answers, left);
  answerLeft(level, block, left, answers);
}

/// Answers the cases that a level has left out on the next levels, and the cases whose weights no
/// double holds.
void CaseRunner::answerLeft(size_t level, const CaseBlock &block, std::vector<uint32_t> left,
                            CaseAnswers &answers) {
  for (const auto &[place, values] : block.far)
    left.push_back(place);
  std::ranges::sort(left);
  left.erase(std::ranges::unique(left).begin(), left.end());
  if (!left.empty())
    answerRest(level, selectCases(program_, block, left), left, answers);
}

/// Answers `rest`, which is the cases `left` as a separate block.
void CaseRunner::answerRest(size_t level, const CaseBlock &rest, const std::vector<uint32_t> &left,
                            CaseAnswers &answers) {
  if (level + 1 < levels_.size()) {
    const std::lock_guard lock(mutex_);
    counts_.inF64 += left.size();
  }
  CaseAnswers found;
  shapeAnswers(program_, rest.count, found);
  runLevel(level + 1, rest, found);
  copyAnswers(found, left, answers);
}

/// Clears posteriors and best assignments of cases whose evidence has probability 0, also those of
/// variables that do not depend on it.
void CaseRunner::clearImpossible(CaseAnswers &answers) const {
  if (traitsOf(program_.kind).outputs != QueryOutputs::Posteriors && answers.variables == 0)
    return;
  // The evidence, or the value of the best assignment.
  const CaseTable &value = answers.tables.front();
  for (uint32_t i = 0; i < answers.count; ++i) {
    if (value.entries[i] != 0)
      continue;
    for (size_t t = 1; t < answers.tables.size(); ++t)
      answers.tables[t].clear(i);
    std::fill_n(answers.states.data() + i * answers.variables, answers.variables,
                CaseAnswers::kNoState);
  }
}

} // namespace mpf
