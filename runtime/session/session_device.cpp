// Runs of a session from device memory to device memory.
#include "dsl/support/check.h"
#include "runtime/execute/host/bind_input.h"
#include "runtime/execute/host/sum_exponent.h"
#include "runtime/session/session_state.h"

#include <utility>

namespace mpf {

DeviceRuns &Session::State::deviceRuns() const {
  if (options.profile || options.verifySamples != 0)
    fail(ErrorKind::Usage,
         "query {}: a session that measures or verifies its runs does not run from device memory",
         bundle->name);
  if (deviceRequestOf(options.device).gpuNumber() != 0)
    fail(ErrorKind::Unsupported,
         "query {}: runs from device memory use the first GPU, and the device is \"{}\"; let "
         "CUDA_VISIBLE_DEVICES name another",
         bundle->name, options.device);
  DeviceRuns *const runs = executor == nullptr ? nullptr : executor->onDevice();
  if (runs == nullptr)
    fail(ErrorKind::Unsupported,
         "query {}: this session does not run on a GPU alone ({}); ask for device \"gpu\"",
         bundle->name, executor == nullptr ? "cpu" : executor->deviceName());
  return *runs;
}

DeviceRunLayout Session::State::deviceLayout(const std::vector<std::string> &factors) {
  refuseWhileRunning();
  DeviceRuns &runs = deviceRuns();
  DeviceTables tables = deviceTablesOf(*bundle, factors);
  runs.prepare(tables.inputs);
  deviceTables_ = std::move(tables);
  return deviceTables_->layout;
}

/// Returns DeviceTables::greatestHere, computed again if the exponents of inputs have changed.
int32_t Session::State::greatestOnDevice() {
  if (!hasPlainTables(*bundle))
    return 0;
  DeviceTables &tables = *deviceTables_;
  if (tables.greatest != inputs.greatest()) {
    tables.greatestHere =
        greatestWithin(*bundle, inputs.greatest(), tables.areHere, inputs.tablesExponent());
    tables.greatest = inputs.greatest();
  }
  return tables.greatestHere;
}

void Session::State::runOnDevice(const DeviceRun &run, void *stream) {
  refuseWhileRunning();
  DeviceRuns &runs = deviceRuns();
  if (!deviceTables_)
    fail(ErrorKind::Usage, "query {}: call deviceLayout before runOnDevice", bundle->name);
  const DeviceTables &tables = *deviceTables_;
  checkDeviceRun(tables.layout, run);
  std::vector<uint64_t> values;
  for (const uint32_t factor : tables.factors)
    values.push_back(run.values[factor]);
  // A later run() must bind the host's values of these inputs again.
  for (const uint32_t i : tables.inputs) {
    inputs.forget(i);
    needed.inputChanged(bundle->inputs[i].buffer);
  }
  giveInputs(tables.areHere);
  try {
    runs.startOnDevice(needed.choose(schedule),
                       {inputs.evidence(), values, run.results, run.exponents,
                        inputs.tablesExponent(), greatestOnDevice(), stream});
  } catch (...) {
    needed.forget();
    throw;
  }
  needed.ran();
}

} // namespace mpf
