// The parts of a small program on a fake GPU, for tests of one class.
#pragma once

#include "runtime/execute/gpu/runs/gpu_arenas.h"
#include "runtime/execute/gpu/runs/gpu_states.h"
#include "runtime/schedule/slices/replicate_slices.h"
#include "tests/oracle/bundle_builder.h"

#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

namespace mpf {

/// Makes a bundle of two inputs, which two table-driven operations sum up one after the other. The
/// driver's launches do nothing, so the kernel's text does not matter.
inline Bundle sumsOfInputs(uint32_t extent) {
  constexpr Semiring kSumTimes{Reduce::Sum, Combine::Times};
  oracle::BundleBuilder build;
  const VarId a = build.variable(extent), b = build.variable(extent);
  const std::vector<double> ones(size_t{extent} * extent, 1);
  const BufferId first = build.input({a, b}, ones), second = build.input({a, b}, ones);
  const BufferId sum = build.operation(kSumTimes, {first}, {a});
  build.output(build.operation(kSumTimes, {second, sum}, {b}));
  Bundle bundle = build.finish();
  bundle.tableDriven = bundle.kernels.size();
  BundleKernel &kernel = bundle.kernels.emplace_back();
  kernel.name = "table_driven";
  kernel.source = "extern \"C\" __global__ void mpf_level() {}\n";
  return bundle;
}

struct ProgramParts {
  explicit ProgramParts(const Bundle &bundle)
      : program(replicateSlices(bundle, {})), arenas(device, program.bundle),
        states(device, program.bundle) {}

  const Bundle &bundle() const { return program.bundle; }
  BufferId input(size_t index) const { return bundle().inputs[index].buffer; }
  BufferId result(size_t operation) const { return bundle().operations[operation].result.buffer; }

  CudaDevice device;
  ReplicatedBundle program;
  GpuArenas arenas;
  GpuStates states;
};

} // namespace mpf
