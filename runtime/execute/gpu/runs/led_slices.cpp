#include "runtime/execute/gpu/runs/led_slices.h"

#include "runtime/execute/gpu/runs/result_tables.h"
#include "runtime/execute/host/accumulate_slice.h"
#include "runtime/execute/host/bind_input.h"

namespace mpf {

LedSlices::LedSlices(const Bundle &bundle, GpuProgram &program, const OperationChecks &checks,
                     BestSlice &best)
    : bundle_(bundle), program_(program), checks_(checks), best_(best),
      slice_(bundle.sliced.size(), 0) {}

std::vector<double> LedSlices::run(std::span<const ScheduleStep> steps, const RunRequest &request) {
  std::vector<double> times(bundle_.operations.size(), 0);
  waiting_.clear();
  LedRuns &led = program_.led();
  led.beginSlices(request.verifySamples == 0);
  walkSteps(steps, bundle_, request.slice,
            [&](const ScheduleStep &step, const SliceStates &states) {
              if (step.kind != StepKind::Run)
                return;
              const BundleOperation &operation = bundle_.operations[step.index];
              if (!operation.accumulates || states != slice_ || !joinsWaiting(operation))
                finishSums();
              led.enterSlice(states);
              slice_ = states;
              if (!operation.accumulates) {
                led.runOperation(step.index, request.profile ? &times[step.index] : nullptr);
                if (request.verifySamples != 0)
                  checks_.verify(step.index, slice_, request.verifySamples);
              } else if (request.slice.empty()) { // a run of one slice adds nothing up
                waiting_.push_back(&operation);
              }
            });
  finishSums();
  return times;
}

bool LedSlices::joinsWaiting(const BundleOperation &operation) const {
  return waiting_.empty() || waiting_.front()->loop == operation.loop;
}

/// Adds up the waiting sums. Consecutive sums of one loop are read together, so the marginals of a
/// slice take one synchronisation.
void LedSlices::finishSums() {
  if (waiting_.empty())
    return;
  const std::vector<TableState> states = program_.states().read();
  // The next slice starts with new states.
  refuseLost(bundle_, program_.outcome().faults.lost, states);
  std::vector<std::vector<std::byte>> slices;
  for (const BundleOperation *operation : waiting_) {
    const BufferId from = operation->operands[0].buffer;
    slices.push_back(program_.arenas().startRead(from, states[from.index()]));
  }
  program_.synchronize();
  for (size_t i = 0; i < waiting_.size(); ++i)
    accumulate(*waiting_[i], slices[i], states[waiting_[i]->operands[0].buffer.index()]);
  program_.synchronize();
  waiting_.clear();
}

void LedSlices::accumulate(const BundleOperation &operation, const std::vector<std::byte> &slice,
                           const TableState &read) {
  const BufferId from = operation.operands[0].buffer, into = operation.result.buffer;
  Sum &sum = sums_[into.value];
  sum.bytes.resize(slice.size());
  const uint32_t state = slice_[operation.loop - 1];
  const SliceSum how{operation.semiring.reduce, hasPlainTables(bundle_), bundle_.forcedLog,
                     state == 0, operation.name};
  const uint64_t elems = bundle_.buffer(into).sizeElems;
  auto *signs = reinterpret_cast<int8_t *>(sum.bytes.data() + elems * elementBytes(bundle_.type));
  const MutableTable target{bundle_.type, &sum.state, elems, sum.bytes.data(),
                            bundle_.signedValues ? signs : nullptr};
  if (accumulateSlice(how, viewOf(bundle_, from, slice.data(), read), target))
    best_.record(operation.loop, slice_, best_);
  // The sum is written at the end of the loop, after which operations read it.
  const VarId variable = bundle_.sliced[operation.loop - 1];
  if (state + 1 == bundle_.variables[variable.index()].extent) {
    program_.arenas().startWrite(into, sum.bytes);
    program_.states().startWrite(into, sum.state);
  }
}

} // namespace mpf
