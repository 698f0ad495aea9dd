// Program and Session: binding, running, reading. Knows bundles only; the compiler is in jit.cpp.
#include "codegen/bundle/read_bundle.h"
#include "codegen/bundle/verify_bundle.h"
#include "codegen/bundle/write_bundle.h"
#include "dsl/support/system/memory_error.h"
#include "runtime/api/kernel_check.h"
#include "runtime/api/mpf.h"
#include "runtime/api/open_executor.h"
#include "runtime/execute/host/bind_input.h"
#include "runtime/execute/host/postsolve.h"
#include "runtime/execute/host/read_output.h"
#include "runtime/execute/host/sum_exponent.h"
#include "runtime/schedule/needed_operations.h"

#include <chrono>

namespace mpf {

namespace {

/// What a refused allocation was for.
auto doing(const char *what, const Bundle &bundle) {
  return [what, &bundle] { return fmt::format("{} query {}", what, bundle.name); };
}

} // namespace

Program::Program(std::shared_ptr<const Bundle> bundle) : bundle_(std::move(bundle)) {
  namingMemory(doing("checking", *bundle_), [&] { verifyBundle(*bundle_); });
}

void Program::save(const std::string &path) const {
  namingMemory(doing("saving", *bundle_), [&] { writeBundle(path, *bundle_); });
}

#pragma weak mpfAdoptKernels // there is no compiler in a program with mpf::runtime alone

Program loadProgram(const std::string &path, const LoadOptions &options) {
  return namingMemory([&] { return "reading " + path; },
                      [&] {
                        Bundle bundle = readBundle(path);
                        if (options.trust)
                          bundle.foreignKernels = false;
                        else if (bundle.foreignKernels && mpfAdoptKernels != nullptr)
                          mpfAdoptKernels(bundle, path);
                        return Program(std::make_shared<const Bundle>(std::move(bundle)));
                      });
}

namespace {

class Stopwatch {
public:
  /// Microseconds since the last call.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double, std::micro> time = now - start_;
    start_ = now;
    return time.count();
  }

private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

} // namespace

struct Session::State {
  State(const Program &program, const SessionOptions &sessionOptions)
      : bundle(program.share()), options(sessionOptions), needed(*bundle) {
    OpenedExecutor opened = openExecutor(*bundle, options);
    executor = std::move(opened.executor);
    schedule = std::move(opened.schedule);
    evidence = bundle->evidence;
    bound.resize(bundle->inputs.size());
    greatest.resize(bundle->inputs.size());
    dirty.assign(bundle->inputs.size(), true);
  }

  std::span<const double> valuesOf(size_t input) const {
    if (!bound[input].empty())
      return bound[input];
    const BundleInput &declared = bundle->inputs[input];
    if (!declared.table)
      fail(ErrorKind::Usage, "input {} was not bound", declared.factor);
    return *bundle->tables[*declared.table];
  }

  /// Sums of costs: the exponent of all tables. Where it changes, all of them do.
  void updateSumExponent() {
    if (!hasPlainTables(*bundle) || isIntegerType(bundle->type))
      return;
    for (size_t i = 0; i < dirty.size(); ++i)
      if (dirty[i])
        greatest[i] = greatestExponent(valuesOf(i));
    const int32_t exponent = sumExponent(*bundle, greatest);
    if (exponent != tablesExponent)
      dirty.assign(dirty.size(), true);
    tablesExponent = exponent;
  }

  /// Restricts and scales what changed since the last run.
  void bindInputs() {
    updateSumExponent();
    for (size_t i = 0; i < dirty.size(); ++i) {
      if (!dirty[i])
        continue;
      const BundleInput &input = bundle->inputs[i];
      executor->setInput(input.buffer,
                         bindInput(*bundle, input, valuesOf(i), evidence,
                                   executor->inputMemory(input.buffer), tablesExponent));
      needed.inputChanged(input.buffer);
      dirty[i] = false;
    }
  }

  /// What is no longer there from earlier runs; all of it where somebody wants to see it run.
  void compute() {
    if (options.profile || options.verifySamples != 0)
      needed.forget();
    const std::span<const ScheduleStep> steps = needed.choose(schedule);
    try {
      executor->run(steps, {options.profile, options.verifySamples, {}});
    } catch (...) {
      needed.forget();
      throw;
    }
    needed.ran();
  }

  /// The states to trace back from: what is observed, and in a sliced program the slice of the
  /// best value, computed once more for its tables.
  std::vector<uint32_t> chooseSlice() {
    std::vector<uint32_t> chosen = statesByVariable(evidence, bundle->variables.size());
    if (bundle->sliced.empty())
      return chosen;
    const SliceStates slice = executor->bestSlice();
    executor->run(schedule.steps, {false, 0, slice});
    needed.forget(); // what read the sums of all slices was overwritten
    for (size_t i = 0; i < slice.size(); ++i)
      chosen[bundle->sliced[i].index()] = slice[i];
    return chosen;
  }

  void setState(VarId variable, uint32_t state) {
    if (evidence.state(variable) == state)
      return;
    evidence.setState(variable, state);
    for (size_t i = 0; i < dirty.size(); ++i)
      for (const VarId id : bundle->inputs[i].scope)
        if (id == variable)
          dirty[i] = true;
  }

  VarId observedVariable(std::string_view name) const {
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

  /// How the kernel that ran an operation was chosen; null: not by measuring. A chain's stands
  /// with its first operation.
  const KernelTuning *tuningOf(const OperationProfile &profile) const {
    std::optional<uint32_t> kernel;
    if (profile.path == std::string_view("specialised"))
      kernel = bundle->operations[profile.operation].kernel;
    for (const BundleChain &chain : bundle->chains)
      if (profile.path == std::string_view("chain") && chain.first == profile.operation)
        kernel = chain.kernel;
    const bool tuned = kernel && bundle->kernels[*kernel].tuning;
    return tuned ? &*bundle->kernels[*kernel].tuning : nullptr;
  }

  std::vector<ResultVariable> declaredVariables() const {
    std::vector<ResultVariable> list;
    if (bundle->answer)
      for (const AnswerVariable &variable : bundle->answer->variables)
        list.push_back({variable.name, variable.extent, variable.labels});
    else
      for (const BundleVariable &variable : bundle->variables)
        list.push_back({variable.name, variable.extent, variable.labels});
    return list;
  }

  /// As declared, with the states that this run uses.
  Evidence usedEvidence() const {
    Evidence used = bundle->declaredEvidence();
    for (const Finding &finding : used.findings)
      if (!finding.fixed)
        used.setState(finding.variable, *evidence.state(finding.variable));
    return used;
  }

  Result run();

  std::shared_ptr<const Bundle> bundle;
  SessionOptions options;
  std::unique_ptr<Executor> executor;
  Schedule schedule;
  NeededOperations needed;
  Evidence evidence;                            ///< the bundle's, with the states of the next run
  std::vector<std::vector<double>> bound;       ///< per input; empty: the bundle's own values
  std::vector<bool> dirty;                      ///< per input: must be bound before the next run
  std::vector<std::optional<int32_t>> greatest; ///< per input of sums of costs: sum_exponent.h
  int32_t tablesExponent = 0;                   ///< of sums of costs, else 0
};

Session::Session(const Program &program, const SessionOptions &options)
    : state_(namingMemory(doing("a session of", program.bundle()),
                          [&] { return std::make_unique<State>(program, options); })) {}
Session::~Session() = default;
Session::Session(Session &&) noexcept = default;
Session &Session::operator=(Session &&) noexcept = default;

void Session::bind(std::string_view factor, std::span<const double> values) {
  bool found = false;
  for (size_t i = 0; i < state_->bundle->inputs.size(); ++i) {
    const BundleInput &input = state_->bundle->inputs[i];
    if (input.factor != factor || input.raw)
      continue;
    uint64_t elems = 1;
    for (const VarId id : input.scope)
      elems *= state_->bundle->variables[id.index()].extent;
    if (values.size() != elems)
      fail(ErrorKind::Usage, "input {} has {} entries, {} values were given", factor, elems,
           values.size());
    if (state_->bundle->answer && input.table)
      fail(ErrorKind::Usage, "the values of {} were final when the program was compiled", factor);
    checkInput(*state_->bundle, input, values);
    namingMemory(doing("a new table of", *state_->bundle),
                 [&] { state_->bound[i].assign(values.begin(), values.end()); });
    state_->dirty[i] = true;
    found = true;
  }
  if (!found)
    fail(ErrorKind::Usage, "the program has no input {}", factor);
}

void Session::observe(std::string_view variable, uint32_t state) {
  const VarId id = state_->observedVariable(variable);
  if (const uint32_t extent = state_->bundle->variables[id.index()].extent; state >= extent)
    fail(ErrorKind::Usage, "variable {} has {} states, there is no state {}", variable, extent,
         state);
  state_->setState(id, state);
}

void Session::observe(std::string_view variable, std::string_view label) {
  const VarId id = state_->observedVariable(variable);
  const std::vector<std::string> &labels = state_->bundle->variables[id.index()].labels;
  for (uint32_t state = 0; state < labels.size(); ++state)
    if (labels[state] == label)
      return state_->setState(id, state);
  fail(ErrorKind::Usage, "variable {} has no state {}", variable, label);
}

Result Session::run() {
  return namingMemory(doing("running", *state_->bundle), [&] { return state_->run(); });
}

Result Session::State::run() {
  State &s = *this;
  Result result;
  Stopwatch watch;
  s.bindInputs();
  result.timings.push_back({"bind", watch.lap()});
  s.compute();
  result.timings.push_back({"run", watch.lap()});

  result.query = s.bundle->name;
  result.kind = s.bundle->kind;
  result.variables = s.declaredVariables();
  result.evidence = s.usedEvidence();
  for (const BundleOutput &output : s.bundle->outputs)
    result.tables.push_back(readOutput(*s.bundle, output, s.executor->table(output.buffer),
                                       result.zeroProbability, s.tablesExponent));
  result.device = s.executor->deviceName();
  result.element = elementTypeName(s.bundle->type);
  result.operationsInAll = s.bundle->operations.size();
  result.operationsRun = s.needed.count();
  result.peakBytes = s.bundle->inputArenaBytes + s.bundle->workArenaBytes;
  result.allocatedBytes = s.executor->allocatedBytes();
  for (const OperationProfile &profile : s.executor->profile()) {
    result.operations.push_back({s.bundle->operations[profile.operation].name,
                                 profile.device == StepDevice::Cpu ? "cpu" : "gpu", profile.path,
                                 profile.log, profile.timeUs, 0, 0});
    if (const KernelTuning *tuning = s.tuningOf(profile)) {
      result.operations.back().tunedGain = tuning->modelUs / tuning->timeUs;
      result.operations.back().tunedCandidates = tuning->candidates;
    }
    result.logOperations += profile.log ? 1 : 0;
  }
  if (traitsOf(s.bundle->kind).decoding && !result.zeroProbability) {
    const std::vector<uint32_t> given = s.chooseSlice();
    for (std::vector<uint32_t> &found : s.executor->decode({given}))
      result.assignments.push_back({std::move(found)});
    result.zeroProbability = result.assignments.empty();
  }
  if (s.bundle->answer)
    postsolve(*s.bundle, result);
  result.timings.push_back({"read", watch.lap()});
  return result;
}

} // namespace mpf
