// The parts of a session's run that bind inputs, start steps and wait for them.
#include "runtime/session/session_state.h"

#include "codegen/bundle/bundle.h"
#include "codegen/bundle/table_map.h"
#include "dsl/support/check.h"
#include "runtime/execute/host/bind_input.h"
#include "runtime/execute/host/gpu_or_cpu.h"
#include "runtime/execute/host/sum_exponent.h"

#include <cstdlib>
#include <utility>

namespace mpf {

Session::State::State(const Program &program, const SessionOptions &sessionOptions)
    : bundle(program.share()), options(sessionOptions), needed(*bundle),
      calls(sessionOptions.watch) {
  take(openExecutor(*bundle, options));
  evidence = bundle->evidence;
  bound.resize(bundle->inputs.size());
  greatest.resize(bundle->inputs.size());
  wideScales.assign(bundle->inputs.size(), 0);
  dirty.assign(bundle->inputs.size(), true);
  for (const HeadVariable &variable : bundle->variables) {
    if (variable.auxiliary)
      auxiliaries_.insert(variable.name);
    if (variable.unasked)
      unasked_.insert(variable.name);
  }
}

void Session::State::take(OpenedExecutor opened) {
  executor = std::move(opened.executor);
  schedule = std::move(opened.schedule);
  mayLeaveGpu = opened.mayLeaveGpu;
  gpuFault = std::move(opened.gpuFault);
}

/// False in a process that was forked since: it has lost more than its GPU.
bool Session::State::mayLeave() const { return mayLeaveGpu && forkCount == mpf::forkCount(); }

void Session::State::openCpu() {
  take(openOnCpu(*bundle, options, gpuFault));
  dirty.assign(dirty.size(), true);
  needed.forget();
}

/// Moves a run to the CPU: binds its inputs and starts it there. If the host has too little memory,
/// the next run tries again.
void Session::State::leaveGpu(std::string fault) {
  executor.reset();
  mayLeaveGpu = false;
  gpuFault = std::move(fault);
  openCpu();
  bindInputs();
  startSteps(false);
}

std::span<const double> Session::State::valuesOf(size_t input) const {
  if (!bound[input].empty())
    return bound[input];
  const BundleInput &declared = bundle->inputs[input];
  if (!declared.table)
    fail(ErrorKind::Usage, "input {} was not bound", declared.factor);
  return *bundle->tables[*declared.table];
}

StoredValues Session::State::storedValuesOf(size_t input) const {
  const std::span<const double> values = valuesOf(input);
  const BundleInput &declared = bundle->inputs[input];
  return {values, declared.raw ? values.size() : valueCount(*bundle, declared)};
}

/// Throws Error(BadInput) if the sum of all scales is too large: results have it in 32 bits.
void Session::State::refuseBeyondScales() const {
  constexpr int64_t kMost = int64_t{1} << 30;
  int64_t sum = 0;
  for (const int64_t scale : wideScales)
    sum += std::abs(scale);
  if (sum > kMost)
    fail(ErrorKind::BadInput,
         "query {}: products of its tables may reach 2^{}, the greatest magnitude is 2^{}",
         bundle->name, sum, kMost);
}

/// Finds the common exponent of all tables, for sums of costs. If it changes, all inputs are bound
/// again.
void Session::State::updateSumExponent(const std::vector<bool> &elsewhere) {
  if (!hasPlainTables(*bundle) || isIntegerType(bundle->type))
    return;
  for (size_t i = 0; i < dirty.size(); ++i)
    if (dirty[i])
      greatest[i] =
          elsewhere[i] ? 0 : greatestExponent(*bundle, bundle->inputs[i], valuesOf(i), evidence);
  const int32_t exponent = sumExponent(*bundle, greatest);
  if (exponent != tablesExponent)
    dirty.assign(dirty.size(), true);
  tablesExponent = exponent;
}

void Session::State::bindInputs(const std::vector<bool> &elsewhere) {
  updateSumExponent(elsewhere);
  for (size_t i = 0; i < dirty.size(); ++i) {
    if (!dirty[i] || elsewhere[i])
      continue;
    const BundleInput &input = bundle->inputs[i];
    const TableState state = bindInput(*bundle, input, valuesOf(i), evidence,
                                       executor->inputMemory(input.buffer), tablesExponent);
    executor->setInput(input.buffer, state);
    wideScales[i] = storedValuesOf(i).isWide() ? state.scale : 0;
    needed.inputChanged(input.buffer);
    dirty[i] = false;
  }
  refuseBeyondScales();
}

void Session::State::setState(VarId variable, uint32_t state) {
  if (evidence.state(variable) == state)
    return;
  evidence.setState(variable, state);
  for (size_t i = 0; i < dirty.size(); ++i)
    for (const VarId id : bundle->inputs[i].scope)
      if (id == variable)
        dirty[i] = true;
}

VarId Session::State::observedVariable(std::string_view name) const {
  for (size_t i = 0; i < bundle->variables.size(); ++i) {
    if (bundle->variables[i].name != name)
      continue;
    const Finding *finding = bundle->declaredEvidence().find(VarId{i});
    if (finding == nullptr)
      fail(ErrorKind::Usage,
           "variable {} is not observed in the compiled program; only states of observed "
           "variables can change",
           name);
    if (finding->fixed)
      fail(ErrorKind::Usage, "the state of {} was final when the program was compiled", name);
    return VarId{i};
  }
  fail(ErrorKind::Usage, "there is no variable {}", name);
}

/// Returns the microseconds since the last call.
double Session::State::lapUs() {
  const auto now = std::chrono::steady_clock::now();
  const std::chrono::duration<double, std::micro> time = now - lapStart_;
  lapStart_ = now;
  return time.count();
}

void Session::State::refuseWhileRunning() const {
  if (isRunning)
    fail(ErrorKind::Usage, "a run of this session was started: call finish() first");
}

void Session::State::start(bool inBackground) {
  refuseWhileRunning();
  lapUs();
  if (executor == nullptr)
    openCpu();
  onGpuOrCpu(
      mayLeave(),
      [&] {
        bindInputs();
        bindUs_ = lapUs();
        startSteps(inBackground);
      },
      [&](std::string fault) { leaveGpu(std::move(fault)); });
  isRunning = true;
}

/// Starts the operations whose results of earlier runs are lost or out of date. With a profile or
/// samples to verify, starts all.
void Session::State::startSteps(bool inBackground) {
  if (options.profile || options.verifySamples != 0)
    needed.forget();
  const std::span<const ScheduleStep> steps = needed.choose(schedule); // valid until the next call
  const RunRequest request{options.profile, options.verifySamples, {}};
  try {
    if (inBackground && !executor->worksByItself(steps, request))
      background_.emplace([this, steps, request] { executor->start(steps, request); });
    else
      executor->start(steps, request);
  } catch (...) {
    needed.forget();
    throw;
  }
}

void Session::State::finishSteps() {
  try {
    if (background_) {
      BackgroundCall started = std::move(*background_);
      background_.reset();
      started.wait();
    }
    executor->finish();
  } catch (...) {
    needed.forget();
    throw;
  }
  needed.ran();
}

} // namespace mpf
