#include "runtime/execute/gpu/gpu_traceback.h"

#include "codegen/bundle/held_variables.h"
#include "codegen/bundle/table_driven_shape.h"
#include "dsl/support/check.h"
#include "runtime/execute/gpu/tables/gpu_operation_table.h"
#include "runtime/execute/host/bind_input.h"
#include "runtime/execute/host/decode_tables.h"

#include <algorithm>
#include <cstring>

namespace mpf {

namespace {

static_assert(static_cast<int>(Decoding::Argmax) == 0, "MPF_DECODE_ARGMAX of mpf_traceback.cuh");

template <class T> DeviceMemory uploaded(const CudaDevice &device, const std::vector<T> &items) {
  // A launch needs an address even if there is nothing to read.
  DeviceMemory memory(device, std::max<uint64_t>(1, items.size()) * sizeof(T));
  if (!items.empty())
    memory.upload(items.data(), items.size() * sizeof(T));
  return memory;
}

} // namespace

GpuTraceback::GpuTraceback(const CudaDevice &device, const Bundle &bundle, const CudaModule &module,
                           const Places &places)
    : device_(device), bundle_(bundle), states_(places.states) {
  if (bundle.traceback.empty())
    return;
  function_ = module.function("mpf_traceback", 0);
  GpuTraceTable table = buildGpuTraceTable(bundle, places.buffers, places.inputs, places.work);
  parts_ = uploaded(device, table.parts);
  terms_ = uploaded(device, table.terms);
  asked_ =
      DeviceMemory(device, table.steps.size() * sizeof(GpuTraceStep) +
                               heldStateCount(bundle) * bundle.variables.size() * sizeof(uint32_t));
  steps_ = std::move(table.steps);
  device.synchronize(); // the tables above are host memory of this constructor
}

std::vector<std::vector<uint32_t>> GpuTraceback::run(const DecodeRequest &request) const {
  std::vector<uint32_t> states(request.given.begin(), request.given.end());
  const size_t width = bundle_.variables.size();
  const Decoding decoding = traitsOf(bundle_.kind).decoding.value();
  if (function_.function == nullptr)
    return assignmentsFromDevice(states, width, decoding);
  std::vector<GpuTraceStep> asked;
  for (const uint32_t step : stepsToTake(bundle_, request))
    asked.push_back(steps_[step]);
  stageTogether(asked);
  const size_t stepBytes = asked.size() * sizeof(GpuTraceStep);
  std::vector<std::byte> image(stepBytes + states.size() * sizeof(uint32_t));
  MPF_CHECK(image.size() <= asked_.sizeBytes(), "{} steps and {} states to trace back from",
            asked.size(), states.size());
  std::memcpy(image.data(), asked.data(), stepBytes);
  std::memcpy(image.data() + stepBytes, states.data(), image.size() - stepBytes);
  asked_.upload(image.data(), image.size());
  CudaDevicePointer steps = asked_.address(), parts = parts_.address(), terms = terms_.address(),
                    tableStates = states_, assignment = steps + stepBytes;
  int variables = static_cast<int>(width), count = static_cast<int>(asked.size());
  int least = minimises(bundle_);
  int plain = hasPlainTables(bundle_);
  int decodingNumber = static_cast<int>(decoding);
  void *arguments[] = {&steps,     &parts, &terms, &tableStates, &assignment,
                       &variables, &count, &least, &plain,       &decodingNumber};
  device_.launch(function_, {states.size() / width, kTableDrivenThreads, 0}, arguments,
                 "mpf_traceback");
  asked_.download(states.data(), image.size() - stepBytes, stepBytes);
  device_.synchronize();
  return assignmentsFromDevice(states, width, decoding);
}

} // namespace mpf
