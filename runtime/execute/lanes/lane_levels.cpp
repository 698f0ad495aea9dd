#include "runtime/execute/lanes/lane_levels.h"

#include "dsl/support/check.h"
#include "dsl/support/numbers/row_sums.h"
#include "runtime/execute/lanes/runner_memory.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace mpf {

namespace {

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

LaneLevels::LaneLevels(const LaneProgram &program, const CaseRunnerOptions &options,
                       ThreadPool &pool)
    : program_(program), options_(options), pool_(pool), bound_(program.values.size()) {}

void LaneLevels::bind(std::string_view factor, std::span<const double> values) {
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

void LaneLevels::prepare() {
  const std::lock_guard lock(mutex_);
  if (common_ != nullptr)
    return;
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
  try {
    if (program_.type == ElementType::F32)
      addLevel(ElementType::F32);
    addLevel(ElementType::F64);
    if (options_.device && !levels_.empty())
      openLaterLevels();
  } catch (...) {
    levels_.clear();
    wide_.clear();
    common_.reset(); // the next call prepares again
    throw;
  }
}

/// Makes the executors of later levels before the first block, because an error during the run
/// would end it. If their memory does not fit, wide numbers answer their cases.
void LaneLevels::openLaterLevels() {
  try {
    for (size_t level = 1; level < levels_.size(); ++level)
      executorOf(levels_[level]);
  } catch (const Error &error) {
    if (error.kind() != ErrorKind::MemoryBound)
      throw;
    levels_.resize(1);
  }
}

void LaneLevels::addLevel(ElementType type) {
  LinearPlan plan = planLinear(program_, *common_, type);
  if (plan.possible)
    levels_.push_back({type, std::move(plan), nullptr});
}

LaneExecutor &LaneLevels::executorOf(Level &level) {
  if (level.executor == nullptr)
    level.executor =
        isOfDevice(level)
            ? options_.device(program_, *common_, level.plan, level.type, pool_)
            : makeCpuLanes(program_, *common_, level.plan, level.type, pool_, cpuOptions(level));
  return *level.executor;
}

/// Returns the options of a level on the CPU. Later levels have too few cases to compile anything.
CpuLaneOptions LaneLevels::cpuOptions(const Level &level) const {
  const bool isBound = std::ranges::any_of(
      bound_, [](const std::vector<double> &values) { return !values.empty(); });
  CpuLaneOptions cpu{boundOf(level), options_.profile, {}};
  if (&level == &levels_.front() && !options_.device && !isBound)
    cpu.own = options_.own;
  return cpu;
}

LaneExecutor &LaneLevels::executor(size_t level) {
  const std::lock_guard lock(mutex_);
  MPF_CHECK(level < levels_.size(), "level {} of {}", level, levels_.size());
  return executorOf(levels_[level]);
}

bool LaneLevels::isOfDevice(const Level &level) const {
  return options_.device && &level == &levels_.front() && deviceFault_.empty();
}

std::shared_ptr<LaneExecutor> LaneLevels::device() {
  const std::lock_guard lock(mutex_);
  if (levels_.empty() || !isOfDevice(levels_.front()))
    return nullptr;
  executorOf(levels_.front());
  return levels_.front().executor;
}

void LaneLevels::leaveDevice(const LaneExecutor *device, std::string fault) {
  const std::lock_guard lock(mutex_);
  Level &level = levels_.front();
  if (level.executor.get() != device || !isOfDevice(level)) // given up already
    return;
  deviceFault_ = std::move(fault);
  level.executor.reset();
}

uint64_t LaneLevels::boundOf(const Level &level) const {
  std::vector<ElementType> types;
  for (const Level &one : levels_)
    types.push_back(one.type);
  return linearPart(linearBytes_, level.type, types);
}

std::vector<double> LaneLevels::stepSeconds() const {
  if (levels_.empty() || levels_.front().executor == nullptr)
    return {};
  return levels_.front().executor->stepSeconds();
}

} // namespace mpf
