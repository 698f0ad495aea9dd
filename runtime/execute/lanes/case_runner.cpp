#include "runtime/execute/lanes/case_runner.h"

#include "dsl/support/system/watched_call.h"
#include "runtime/execute/host/gpu_or_cpu.h"

#include <algorithm>
#include <atomic>
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

} // namespace

CaseRunner::CaseRunner(const LaneProgram &program, const CaseRunnerOptions &options)
    : program_(program), mayLeaveDevice_(options.mayLeaveDevice), pool_(options.threads),
      levels_(program, options, pool_) {}

CaseRunner::~CaseRunner() = default;

/// Answers the block on the device. Returns false if there is no device or it was given up.
bool CaseRunner::runDevice(size_t level, const CaseBlock &block, CaseAnswers &answers,
                           std::vector<uint32_t> &left) {
  if (level != 0)
    return false;
  std::shared_ptr<LaneExecutor> executor;
  const auto onGpu = [&] {
    executor = levels_.device();
    if (executor == nullptr)
      return false;
    executor->run(block, answers, left);
    return true;
  };
  const auto leave = [&](std::string fault) {
    levels_.leaveDevice(executor.get(), std::move(fault));
    return false;
  };
  return onGpuOrCpu(mayLeaveDevice_, onGpu, leave);
}

void CaseRunner::runExecutor(size_t level, const CaseBlock &block, CaseAnswers &answers,
                             std::vector<uint32_t> &left) {
  if (runDevice(level, block, answers, left))
    return;
  left.clear();
  LaneExecutor &cpu = levels_.executor(level);
  const std::lock_guard lock(cpu_);
  cpu.run(block, answers, left);
}

std::string CaseRunner::deviceName() {
  levels_.prepare();
  return levels_.count() == 0 ? "cpu (wide numbers)" : levels_.executor(0).deviceName();
}

uint64_t CaseRunner::casesAtOnce() {
  levels_.prepare();
  return levels_.count() == 0 ? levels_.wide().size() : levels_.executor(0).casesAtOnce();
}

DeviceLanes *CaseRunner::onDevice() {
  levels_.prepare();
  return levels_.count() == 0 ? nullptr : levels_.executor(0).onDevice();
}

std::vector<double> CaseRunner::stepSeconds() const { return levels_.stepSeconds(); }

void CaseRunner::run(const CaseBlock &block, CaseAnswers &answers) {
  levels_.prepare();
  {
    const std::lock_guard lock(mutex_);
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
  std::vector<WideLanes> &wide = levels_.wide();
  pool_.run(wide.size(), [&](size_t number, size_t) {
    for (uint64_t i = next++; i < block.count; i = next++, throwIfCancelled())
      wide[number].run(block, static_cast<uint32_t>(i), answers);
  });
}

void CaseRunner::runLevel(size_t level, const CaseBlock &block, CaseAnswers &answers) {
  if (level == levels_.count())
    return runWide(block, answers);
  std::vector<uint32_t> left;
  runExecutor(level, block, answers, left);
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
  if (level + 1 < levels_.count()) {
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
