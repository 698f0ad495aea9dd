#include "tools/mpf-bench/networks/compile_network.h"

#include "codegen/pipeline/compile_settings.h"
#include "codegen/pipeline/pipeline.h"
#include "dsl/formats/load_text.h"
#include "dsl/formats/read_model_file.h"
#include "dsl/formats/uai/uai_evidence.h"
#include "dsl/source/text_error.h"
#include "dsl/support/check.h"
#include "runtime/choose/jit_gpu.h"
#include "runtime/choose/jit_memory.h"
#include "runtime/machine/gpu_backend.h"
#include "tools/mpf-bench/measure/lap.h"
#include "tools/mpf-bench/measure/random_cases.h"
#include "tools/mpf-bench/networks/network_solvers.h"

#include <string>
#include <utility>

namespace mpf::bench {

Model readNetwork(const NetworkTask &task) {
  Diagnostics diagnostics;
  std::optional<Model> model = readModelFile(loadText(task.model), diagnostics);
  if (model && !task.evidence.empty() &&
      !readEvidence(loadText(task.evidence), *model, diagnostics))
    model.reset();
  if (!model)
    fail(ErrorKind::BadInput, "{}", messageOf(diagnostics));
  return std::move(*model);
}

bool lacksDevice(const NetworkTask &task) {
  return networkDeviceNamed(task.device).needsGpu && !gpuBackendUnavailable().empty();
}

namespace {

CompileSettings settingsFor(const NetworkTask &task, const Model &model, const Query &query) {
  CompileSettings settings;
  settings.purpose = Purpose::OneRun;
  settings.type = elementTypeNamed(task.type);
  settings.threads = task.threads;
  const NetworkDevice &on = networkDeviceNamed(task.device);
  settings.devices = on.devices;
  if (!on.devices.excludesGpu() && !task.arch.empty())
    settings.target = task.arch;
  else if (lacksDevice(task))
    settings.target = std::string(kReferenceTarget);
  if (task.expectedRuns != 0)
    settings.expectedRuns = task.expectedRuns;
  settings.planRounds = task.planRounds;
  if (task.asBuckets) {
    settings.simplify = Simplification::Off;
    settings.offPasses = {"join-buckets", "merge-operands", "split-reductions"};
  }
  if (!on.devices.requiresGpu() && task.memoryGib != 0)
    settings.maxMemoryBytes = static_cast<uint64_t>(task.memoryGib * 0x1p30);
  completeForMachine(settings, runFacts(model, {&query, 1}, task.threads));
  chooseKernels(settings);
  return settings;
}

} // namespace

CompiledNetwork compileNetwork(const Model &model, const NetworkTask &task, NetworkRun &run) {
  const Query query = shortQuery(model, kindOfTask(task.task));
  const CompileSettings settings = settingsFor(task, model, query);
  const Pipeline pipeline(pipelineOptionsFor(settings, *settings.type));
  Lap lap;
  Simplified simple = pipeline.simplify(model, query);
  run.seconds.simplifying = lap.next();
  Diagnostics warnings;
  TableProgram program = pipeline.plan(simple, warnings);
  run.seconds.planning = lap.next();
  Bundle bundle = pipeline.compileProgram(simple.model, program, std::move(simple.answer));
  run.seconds.choosing = lap.next();
  return {std::make_shared<const Bundle>(std::move(bundle)), std::move(program)};
}

void timePasses(const Model &model, const NetworkTask &task, NetworkRun &run) {
  const Query query = shortQuery(model, kindOfTask(task.task));
  const CompileSettings settings = settingsFor(task, model, query);
  PipelineOptions options = pipelineOptionsFor(settings, *settings.type);
  options.hooks.afterPlanPass = [&run](const PassEvent &event) {
    run.passSeconds[std::string(event.pass)] += event.seconds;
  };
  const Pipeline pipeline(std::move(options));
  Diagnostics warnings;
  pipeline.plan(pipeline.simplify(model, query), warnings);
}

} // namespace mpf::bench
