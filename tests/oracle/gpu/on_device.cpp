#include "tests/oracle/gpu/on_device.h"

#include "codegen/pipeline/pipeline.h"
#include "codegen/plan/build_program.h"
#include "codegen/specialise/device_costs.h"
#include "codegen/specialise/specialise_options.h"
#include "runtime/execute/gpu/gpu_executor.h"

#include <cstring>
#include <limits>

namespace mpf::oracle {

void OnDevice::SetUp() {
  if (const std::string reason = gpuUnavailableReason(); !reason.empty())
    GTEST_SKIP() << reason;
  device_.emplace();
  host_.emplace(*device_);
}

void OnDevice::start(Session &session, const DeviceRunLayout &layout,
                     const std::vector<std::vector<double>> &values, Arrays &arrays) {
  const size_t elemBytes = layout.isDouble ? sizeof(double) : sizeof(float);
  DeviceRun run;
  for (const std::vector<double> &table : values) {
    std::vector<std::byte> &bytes = arrays.given.emplace_back(table.size() * elemBytes);
    for (size_t i = 0; i < table.size(); ++i) {
      const auto narrow = static_cast<float>(table[i]);
      std::memcpy(bytes.data() + i * elemBytes,
                  layout.isDouble ? static_cast<const void *>(&table[i]) : &narrow, elemBytes);
    }
    arrays.values.emplace_back(*device_, bytes.size());
    host_->upload(arrays.values.back(), bytes.data());
    run.values.push_back(arrays.values.back().address());
  }
  arrays.results = DeviceMemory(*device_, layout.resultElems * elemBytes);
  arrays.exponents = DeviceMemory(*device_, layout.tables.size() * sizeof(int32_t));
  arrays.resultBytes.resize(arrays.results.sizeBytes());
  arrays.exponentsRead.resize(layout.tables.size());
  run.results = arrays.results.address();
  run.exponents = arrays.exponents.address();
  session.runOnDevice(run, host_->stream());
  host_->download(arrays.resultBytes.data(), arrays.results);
  host_->download(arrays.exponentsRead.data(), arrays.exponents);
}

double OnDevice::resultOf(const DeviceRunLayout &layout, const Arrays &arrays, uint64_t i) {
  if (layout.isDouble)
    return reinterpret_cast<const double *>(arrays.resultBytes.data())[i];
  return static_cast<double>(reinterpret_cast<const float *>(arrays.resultBytes.data())[i]);
}

Program OnDevice::withKernels(const Model &model, const CompileOptions &options) {
  const SpecialiseOptions everything{targetNamed("sm_90"), std::numeric_limits<double>::infinity()};
  PipelineOptions pipeline;
  pipeline.plan.type = options.type == "f32" ? ElementType::F32 : ElementType::F64;
  pipeline.forcedLog = options.forcedLog;
  pipeline.gpu = [&](const Bundle &) { return std::optional(everything); };
  const auto times = makeDeviceCosts(everything, pipeline.plan.type, options.forcedLog);
  PlanOptions plan = pipeline.plan;
  plan.deviceCosts = times.get();
  Diagnostics diagnostics;
  return Program(std::make_shared<const Bundle>(Pipeline(pipeline).compileProgram(
      model, buildProgram(model, model.queries.front(), plan, diagnostics))));
}

} // namespace mpf::oracle
