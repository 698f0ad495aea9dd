// The answer of a run: what a session reads at its end.
#include "codegen/bundle/bundle.h"
#include "dsl/support/check.h"
#include "runtime/execute/host/bind_input.h"
#include "runtime/execute/host/gpu_or_cpu.h"
#include "runtime/execute/host/held_states.h"
#include "runtime/execute/host/postsolve.h"
#include "runtime/execute/host/read_output.h"
#include "runtime/result/divide_rows.h"
#include "runtime/session/session_state.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {

/// Returns the measurements by which the kernel of an operation was chosen; null if it was not
/// measured. The first operation of a chain has those of the chain's kernel.
const KernelTuning *tuningOf(const Bundle &bundle, const OperationProfile &profile) {
  std::optional<uint32_t> kernel;
  if (profile.path == std::string_view("specialised"))
    kernel = bundle.operations[profile.operation].kernel;
  for (const BundleChain &chain : bundle.chains)
    if (profile.path == std::string_view("chain") && chain.first == profile.operation)
      kernel = chain.kernel;
  const bool tuned = kernel && bundle.kernels[*kernel].tuning;
  return tuned ? &*bundle.kernels[*kernel].tuning : nullptr;
}

std::vector<ResultVariable> declaredVariables(const Bundle &bundle) {
  std::vector<ResultVariable> list;
  for (const HeadVariable &variable : bundle.answer ? bundle.answer->variables : bundle.variables)
    list.push_back({variable.name, variable.extent, variable.labels});
  return list;
}

/// Returns the declared evidence with the states of `evidence`.
Evidence usedEvidence(const Bundle &bundle, const Evidence &evidence) {
  Evidence used = bundle.declaredEvidence();
  for (const Finding &finding : used.findings)
    if (!finding.fixed)
      used.setState(finding.variable, *evidence.state(finding.variable));
  return used;
}

void readProfile(const Bundle &bundle, const Executor &executor, Result &result) {
  for (const OperationProfile &profile : executor.profile()) {
    result.operations.push_back({bundle.operations[profile.operation].name,
                                 deviceName(profile.device), profile.path, profile.log,
                                 profile.timeUs, 0, 0});
    if (const KernelTuning *tuning = tuningOf(bundle, profile)) {
      result.operations.back().tunedGain = tuning->modelUs / tuning->timeUs;
      result.operations.back().tunedCandidates = tuning->candidates;
    }
    result.logOperations += profile.log ? 1 : 0;
  }
}

/// Whether a value is that of no assignment: 0 for products, -inf for maximised sums. Tables have
/// no such value for minima.
bool isNothing(const Bundle &bundle, const ScaledNumber &value) {
  if (minimises(bundle))
    return false;
  return hasPlainTables(bundle) ? value.mantissa == -kInfinity : value.mantissa == 0;
}

} // namespace

/// Returns the states from which a traceback starts: the observed ones. In a sliced program these
/// include the slice with the best value, which is computed again, because a traceback reads its
/// tables.
std::vector<uint32_t> Session::State::chooseSlice() {
  std::vector<uint32_t> chosen = statesByVariable(inputs.evidence(), bundle->variables.size());
  if (bundle->sliced.empty())
    return chosen;
  const SliceStates slice = executor->bestSlice();
  needed.forget(); // the tables that depend on sums of all slices are overwritten
  executor->run(schedule.steps, {false, 0, slice});
  for (size_t i = 0; i < slice.size(); ++i)
    chosen[bundle->sliced[i].index()] = slice[i];
  return chosen;
}

Result Session::State::finish() {
  if (!std::exchange(isRunning, false))
    fail(ErrorKind::Usage, "no run of this session was started");
  return onGpuOrCpu(
      mayLeave(), [this] { return answer(); },
      [this](std::string fault) {
        leaveGpu(std::move(fault));
        return answer();
      });
}

void Session::State::readAssignments(Result &result) {
  const ResultTable &values = result.tables.front(); // a traceback need not meet every zero
  std::vector<char> isFound;
  for (size_t i = 0; i < values.entries.size(); ++i)
    isFound.push_back(!isNothing(*bundle, values.at(i)));
  result.zeroProbability = std::ranges::find(isFound, 1) == isFound.end();
  if (result.zeroProbability)
    return;
  const std::vector<uint32_t> given = startsFrom(*bundle, chooseSlice());
  for (std::vector<uint32_t> &found : executor->decode({given})) {
    if (!isFound[result.assignments.size()])
      found.clear();
    result.assignments.push_back({std::move(found)});
  }
  result.zeroProbability = !bundle->variables.empty() &&
                           std::ranges::all_of(result.assignments, [](const ResultAssignment &one) {
                             return one.states.empty();
                           });
  if (result.zeroProbability)
    result.assignments.clear();
}

/// Waits for the run and reads its results.
Result Session::State::answer() {
  finishSteps();
  Result result;
  result.timings = {{"bind", bindUs_}, {"run", lapUs()}};

  result.query = bundle->name;
  result.kind = bundle->kind;
  result.variables = declaredVariables(*bundle);
  result.evidence = usedEvidence(*bundle, inputs.evidence());
  for (const BundleOutput &output : bundle->outputs)
    result.tables.push_back(readOutput(*bundle, output, executor->table(output.buffer),
                                       result.zeroProbability, inputs.tablesExponent()));
  result.device = executor->deviceName();
  result.deviceFault = gpuFault;
  result.element = elementTypeName(bundle->type);
  result.operationsInAll = bundle->operations.size();
  result.operationsRun = needed.count();
  result.peakBytes = bundle->inputArenaBytes + bundle->workArenaBytes;
  result.allocatedBytes = executor->allocatedBytes();
  readProfile(*bundle, *executor, result);
  if (traitsOf(bundle->kind).decoding)
    readAssignments(result);
  if (bundle->answer)
    postsolve(*bundle, result);
  hidden_.dropFrom(result);
  for (ResultTable &table : result.tables)
    divideRows(table);
  result.timings.push_back({"read", lapUs()});
  return result;
}

} // namespace mpf
