#include "tools/mpf-bench/bench_device_runs.h"

#include "codegen/bundle/bundle.h"
#include "dsl/support/check.h"
#include "runtime/api/session.h"
#include "runtime/execute/gpu/cuda_device.h"
#include "tools/mpf-bench/measure/clock_seconds.h"

#include <algorithm>
#include <fmt/core.h>
#include <map>

namespace mpf::bench {

namespace {

/// The values of each factor that a host program could change.
using Values = std::map<std::string, std::vector<double>>;

Values valuesOf(const Bundle &bundle) {
  Values values;
  for (const BundleInput &input : bundle.inputs)
    if (input.table && !input.raw)
      values[input.factor] = *bundle.tables[*input.table];
  return values;
}

std::vector<std::string> namesOf(const Values &values) {
  std::vector<std::string> names;
  for (const auto &[factor, of] : values)
    names.push_back(factor);
  return names;
}

/// The arrays that runs read and write on the device.
class Arrays {
public:
  Arrays(const CudaDevice &device, const DeviceRunLayout &layout, const Values &values)
      : results_(device, layout.resultElems * elemBytes(layout)),
        exponents_(device, layout.tables.size() * sizeof(int32_t)) {
    for (const DeviceRunLayout::Factor &factor : layout.factors) {
      const std::vector<double> &doubles = values.at(factor.name);
      const std::vector<float> floats(doubles.begin(), doubles.end());
      const DeviceMemory &memory =
          values_.emplace_back(device, factor.sizeElems * elemBytes(layout));
      memory.upload(layout.isDouble ? static_cast<const void *>(doubles.data()) : floats.data(),
                    memory.sizeBytes(), 0);
      device.synchronize();
      run_.values.push_back(memory.address());
    }
    run_.results = results_.address();
    run_.exponents = exponents_.address();
  }

  const DeviceRun &run() const { return run_; }

private:
  static size_t elemBytes(const DeviceRunLayout &layout) {
    return layout.isDouble ? sizeof(double) : sizeof(float);
  }

  std::vector<DeviceMemory> values_;
  DeviceMemory results_, exponents_;
  DeviceRun run_;
};

double fromHostUs(Session &session, const Values &values, unsigned repeats) {
  std::vector<double> timesUs;
  for (unsigned i = 0; i < repeats + 3; ++i) {
    const double start = clockSeconds(false);
    for (const auto &[factor, of] : values)
      session.bind(factor, of);
    session.run();
    if (i >= 3)
      timesUs.push_back((clockSeconds(false) - start) * 1e6);
  }
  std::nth_element(timesUs.begin(), timesUs.begin() + repeats / 2, timesUs.end());
  return timesUs[repeats / 2];
}

void timeModel(const std::string &model, const RunBenchOptions &options) {
  const Program program = compileForRuns(model, options);
  const Values values = valuesOf(program.bundle());
  if (values.empty())
    fail(ErrorKind::Usage, "{}: no factor has values that could change between runs", model);
  SessionOptions running;
  running.device = "gpu";
  running.expectedRuns = options.expectedRuns;
  Session session(program, running);
  const double hostUs = fromHostUs(session, values, options.repeats);

  const CudaDevice device;
  const DeviceRunLayout layout = session.deviceLayout(namesOf(values));
  const Arrays arrays(device, layout, values);
  const auto runAll = [&](unsigned runs) {
    for (unsigned i = 0; i < runs; ++i)
      session.runOnDevice(arrays.run(), nullptr);
  };
  runAll(3);
  device.synchronize();
  const double start = clockSeconds(false);
  runAll(options.repeats);
  const double called = clockSeconds(false);
  device.synchronize();
  const double ended = clockSeconds(false);
  const double each = 1e6 / options.repeats;
  const DeviceRunLaunches launches = session.deviceRunLaunches();
  fmt::print(
      "{} {}: {} factors, {} results; from the host {:.1f} us a run, from the device "
      "{:.1f}, of which the host's call {:.1f}; {} launches, {} more where linear arithmetic "
      "is not exact\n",
      model, options.type, layout.factors.size(), layout.resultElems, hostUs,
      (ended - start) * each, (called - start) * each, launches.always, launches.again);
}

} // namespace

void benchDeviceRuns(const RunBenchOptions &options) {
  for (const std::string &model : options.models)
    timeModel(model, options);
}

} // namespace mpf::bench
