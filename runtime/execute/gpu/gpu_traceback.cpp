#include "runtime/execute/gpu/gpu_traceback.h"

#include "codegen/bundle/held_variables.h"
#include "codegen/bundle/table_driven_shape.h"
#include "dsl/support/check.h"
#include "runtime/execute/gpu/tables/gpu_operation_table.h"
#include "runtime/execute/gpu/tables/gpu_trace_table.h"
#include "runtime/execute/host/bind_input.h"

#include <algorithm>

namespace mpf {

namespace {

static_assert(static_cast<int>(Decoding::Argmax) == 0, "MPF_DECODE_ARGMAX of mpf_traceback.cuh");

template <class T> DeviceMemory uploaded(const CudaDevice &device, const std::vector<T> &items) {
  // A launch takes the address even where there is nothing to read.
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
  const GpuTraceTable table =
      buildGpuTraceTable(bundle, places.buffers, places.inputs, places.work);
  steps_ = uploaded(device, table.steps);
  parts_ = uploaded(device, table.parts);
  terms_ = uploaded(device, table.terms);
  assignment_ =
      DeviceMemory(device, heldStateCount(bundle) * bundle.variables.size() * sizeof(uint32_t));
  device.synchronize(); // the tables above are host memory of this constructor
}

std::vector<std::vector<uint32_t>> GpuTraceback::run(const DecodeRequest &request) const {
  std::vector<uint32_t> states(request.given.begin(), request.given.end());
  const size_t width = bundle_.variables.size(), bytes = states.size() * sizeof(uint32_t);
  const Decoding decoding = traitsOf(bundle_.kind).decoding.value();
  if (function_.function == nullptr)
    return assignmentsFromDevice(states, width, decoding);
  MPF_CHECK(bytes <= assignment_.sizeBytes(), "{} states to trace back from", states.size());
  assignment_.upload(states.data(), bytes);
  CudaDevicePointer steps = steps_.address(), parts = parts_.address(), terms = terms_.address(),
                    tableStates = states_, assignment = assignment_.address();
  int variables = static_cast<int>(width), count = static_cast<int>(bundle_.traceback.size());
  int least = minimises(bundle_);
  int plain = hasPlainTables(bundle_);
  int decodingNumber = static_cast<int>(decoding);
  void *arguments[] = {&steps,     &parts, &terms, &tableStates, &assignment,
                       &variables, &count, &least, &plain,       &decodingNumber};
  device_.launch(function_, {states.size() / width, kTableDrivenThreads, 0}, arguments,
                 "mpf_traceback");
  assignment_.download(states.data(), bytes);
  device_.synchronize();
  return assignmentsFromDevice(states, width, decoding);
}

} // namespace mpf
