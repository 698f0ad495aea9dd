#include "tests/oracle/edge/edge_compile.h"

#include "codegen/bundle/forms/program_file.h"
#include "codegen/pipeline/pipeline.h"
#include "codegen/specialise/chain_kernels.h"
#include "codegen/specialise/device_costs.h"
#include "codegen/specialise/verify_kernels.h"
#include "dsl/model/print/print_mpf.h"
#include "runtime/choose/jit_gpu.h"
#include "runtime/machine/gpu_backend.h"
#include "tests/oracle/models/sliced_programs.h"

#include <limits>
#include <memory>

namespace mpf::oracle {

namespace {

/// Returns the model without the values of the inputs.
Model openModel(const EdgeCase &edge) {
  Model model = edge.model;
  for (size_t i = 0; i < model.factors.size(); ++i)
    if (edge.input[i])
      model.factors[i].values = nullptr;
  return model;
}

double expectedGpuRuns(const EdgeOptions &options) {
  return options.specialisedKernels ? std::numeric_limits<double>::infinity() : 0;
}

Program compileAsText(const EdgeCase &edge, uint64_t maxMemoryBytes) {
  Model model = openModel(edge);
  model.queries = {edge.query};
  CompileOptions options;
  options.type = elementTypeName(edge.options.type);
  options.forcedLog = edge.options.forcedLog;
  options.maxMemoryBytes = maxMemoryBytes;
  options.device = edge.options.gpu ? "gpu" : "cpu";
  options.expectedRuns = expectedGpuRuns(edge.options);
  options.autotune = 0;
  options.finalTables = edge.options.finalTables;
  options.finalEvidence = edge.options.finalEvidence;
  options.keepMessages = edge.options.keep == KeptMessages::All;
  return compileText(printMpf(model), options);
}

Bundle compileModelOf(const EdgeCase &edge, uint64_t maxMemoryBytes) {
  const Model model = openModel(edge);
  PipelineOptions options;
  options.simplify.finalTables = edge.options.finalTables;
  options.simplify.finalEvidence = edge.options.finalEvidence;
  options.simplify.offPasses = edge.options.offPasses;
  options.simplify.type = options.plan.type = edge.options.type;
  options.plan.keep = edge.options.keep;
  options.plan.maxMemoryBytes = maxMemoryBytes;
  options.forcedLog = edge.options.forcedLog;
  std::unique_ptr<DeviceCosts> costs;
  if (edge.options.gpu) {
    const std::string arch = gpuBackendArch();
    const double runs = expectedGpuRuns(edge.options);
    options.gpu = gpuNamed(arch, {runs, runs}, {.candidates = 0});
    costs = makeDeviceCosts({targetNamed(arch), runs}, options.plan.type, options.forcedLog);
    options.plan.deviceCosts = costs.get();
  }
  if (edge.options.slicedVariables == 0) {
    Diagnostics diagnostics;
    return Pipeline(options).compile(model, edge.query, diagnostics);
  }
  Simplified simple = simplify(model, edge.query, options.simplify);
  std::mt19937_64 random(edge.options.sliceSeed);
  const TableProgram plan =
      randomlySliced(random, simple.model, simple.query, edge.options.slicedVariables, {},
                     edge.options.keep, costs.get());
  return Pipeline(options).compileProgram(simple.model, plan, std::move(simple.answer));
}

Program compileWithin(const EdgeCase &edge, uint64_t maxMemoryBytes) {
  if (edge.options.path == EdgePath::Text)
    return compileAsText(edge, maxMemoryBytes);
  Bundle bundle = compileModelOf(edge, maxMemoryBytes);
  if (edge.options.path == EdgePath::Stored) {
    bundle = parseAs<Bundle>(programBytes(bundle));
    adoptKernels(bundle, "the stored bundle");
  }
  return Program(std::make_shared<const Bundle>(std::move(bundle)));
}

} // namespace

Program compileCase(const EdgeCase &edge) {
  const Program whole = compileWithin(edge, UINT64_MAX);
  if (edge.options.memoryShare <= 0)
    return whole;
  const auto work = static_cast<double>(whole.bundle().workArenaBytes);
  return compileWithin(edge, whole.bundle().inputArenaBytes +
                                 static_cast<uint64_t>(work * edge.options.memoryShare));
}

} // namespace mpf::oracle
