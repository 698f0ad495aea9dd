// The parts of a session's run that bind inputs, start steps and wait for them.
#include "runtime/session/session_state.h"

#include "codegen/bundle/bundle.h"
#include "dsl/support/check.h"
#include "runtime/execute/host/gpu_or_cpu.h"

#include <utility>

namespace mpf {

Session::State::State(const Program &program, const SessionOptions &sessionOptions)
    : bundle(program.share()), options(sessionOptions), needed(*bundle), inputs(*bundle),
      calls(sessionOptions.watch), hidden_(*bundle) {
  take(openExecutor(*bundle, options));
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
  inputs.forgetAll();
  needed.forget();
}

/// Moves a run to the CPU: binds its inputs and starts it there. If the host has too little memory,
/// the next run tries again.
void Session::State::leaveGpu(std::string fault) {
  executor.reset();
  mayLeaveGpu = false;
  gpuFault = std::move(fault);
  openCpu();
  giveInputs();
  startSteps(false);
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
        giveInputs();
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
