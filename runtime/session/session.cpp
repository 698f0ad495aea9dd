// Session: the functions that host programs call. Its state and its runs are in session_state.h.
#include "codegen/bundle/bundle.h"
#include "codegen/bundle/table_map.h"
#include "dsl/support/cases/state_label.h"
#include "dsl/support/check.h"
#include "dsl/support/system/memory_error.h"
#include "dsl/support/system/watched_call.h"
#include "runtime/execute/host/bind_input.h"
#include "runtime/session/session_state.h"

#include <cstdlib>

namespace mpf {

namespace {

/// Returns the purpose of an allocation, for the message if it is refused.
auto doing(const char *what, const Bundle &bundle) {
  return [what, &bundle] { return fmt::format("{} query {}", what, bundle.name); };
}

} // namespace

Session::Session(const Program &program, const SessionOptions &options)
    : state_(namingMemory(doing("a session of", program.bundle()), [&] {
        return watchedResult(options.watch, "opening",
                             [&] { return std::make_unique<State>(program, options); });
      })) {}
Session::~Session() = default;
Session::Session(Session &&) noexcept = default;
Session &Session::operator=(Session &&) noexcept = default;

void Session::bind(std::string_view factor, std::span<const double> values) {
  state_->refuseWhileRunning();
  state_->inputs.bind(factor, values, values.size());
}

void Session::lend(std::string_view factor, std::span<const double> values) {
  state_->refuseWhileRunning();
  state_->inputs.lend(factor, values);
}

void Session::bind(std::string_view factor, std::span<const ScaledNumber> values) {
  state_->refuseWhileRunning();
  for (const ScaledNumber &value : values)
    if (!value.isNormalised() || std::abs(value.exponent) > kMostWideExponent)
      fail(ErrorKind::BadInput, "factor {}: {} * 2^{} is no number of at most 2^{}", factor,
           value.mantissa, value.exponent, kMostWideExponent);
  std::vector<double> plain;
  for (const ScaledNumber &value : values)
    if (const std::optional<double> number = value.value())
      plain.push_back(*number);
  if (plain.size() == values.size())
    return state_->inputs.bind(factor, plain, plain.size());
  state_->inputs.bind(factor, widened(values), values.size());
}

void Session::observe(std::string_view variable, uint32_t state) {
  state_->refuseWhileRunning();
  const VarId id = state_->inputs.observedVariable(variable);
  if (const uint32_t extent = state_->bundle->variables[id.index()].extent; state >= extent)
    fail(ErrorKind::Usage, "variable {} has {} states, there is no state {}", variable, extent,
         state);
  state_->inputs.observe(id, state);
}

void Session::observe(std::string_view variable, std::string_view label) {
  state_->refuseWhileRunning();
  const VarId id = state_->inputs.observedVariable(variable);
  const auto &known = state_->bundle->variables[id.index()];
  state_->inputs.observe(id, requireState(variable, known.labels, known.extent, label));
}

void Session::start() {
  namingMemory(doing("running", *state_->bundle), [&] { state_->start(true); });
}

Result Session::finish() {
  return namingMemory(doing("running", *state_->bundle), [&] { return state_->finish(); });
}

DeviceRunLayout Session::deviceLayout(const std::vector<std::string> &factors) {
  return namingMemory(doing("a layout of", *state_->bundle),
                      [&] { return state_->deviceLayout(factors); });
}

void Session::runOnDevice(const DeviceRun &run, void *stream) {
  namingMemory(doing("running", *state_->bundle), [&] { state_->runOnDevice(run, stream); });
}

DeviceRunLaunches Session::deviceRunLaunches() const { return state_->deviceRunLaunches(); }

Result Session::run() {
  Result result;
  state_->calls.make("running", 1, [&] {
    namingMemory(doing("running", *state_->bundle), [&] { state_->start(false); });
    result = finish();
  });
  return result;
}

} // namespace mpf
