// Compiles a text to a bundle in one call, for host programs.
#include "codegen/pipeline/pipeline.h"
#include "codegen/specialise/device_costs.h"
#include "codegen/specialise/specialise_options.h"
#include "dsl/support/check.h"
#include "dsl/support/system/memory_error.h"
#include "dsl/support/system/watched_call.h"
#include "runtime/api/session.h"
#include "runtime/choose/jit_gpu.h"
#include "runtime/choose/jit_memory.h"
#include "runtime/library/jit_fit.h"
#include "runtime/library/jit_model.h"
#include "runtime/session/verified_program.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {

AutotuneOptions autotuneOf(const CompileOptions &options) {
  if (options.autotune == 1)
    fail(ErrorKind::Usage, "autotune: 1 kernel alone is no choice; 0 for none, or more");
  AutotuneOptions autotune;
  autotune.candidates = options.autotune;
  return autotune;
}

/// Returns the runs of a fit: on this machine, within the limits of the options, in f64.
FitRuns fitRunsFor(const CompileOptions &given) {
  CompileOptions options = given;
  options.type = elementTypeName(ElementType::F64);
  options.finalTables = options.finalEvidence = true;
  if (!options.gpuArch.empty() && deviceRequestOf(options.device).requiresGpu())
    options.device = DeviceRequest().devicesWord(); // the program may be for another machine
  options.gpuArch.clear();
  FitRuns runs;
  runs.session.device = options.device;
  runs.session.schedule = options.schedule;
  runs.mostTableBytes = std::min(options.maxMemoryBytes.value_or(UINT64_MAX), hostBytes());
  runs.compile = [options](const Model &model, const Query &) {
    return compileModel(model, options);
  };
  return runs;
}

Program compileFitted(Model model, const CompileOptions &options) {
  if (hasTargets(model))
    model = fitted(std::move(model), fitRunsFor(options));
  return compileModel(model, options);
}

} // namespace

Program compileModel(const Model &model, const CompileOptions &given) {
  const Query &query = onlyQuery(model);
  CompileSettings settings = settingsOf(given);
  completeForMachine(settings, runFacts(model, {&query, 1}, 0));
  chooseKernels(settings, autotuneOf(given));
  PipelineOptions options = pipelineOptionsFor(settings, elementTypeOf(query, settings.type));
  options.hooks = gpuExpectation(settings);
  const Pipeline pipeline(std::move(options));
  Diagnostics warnings;
  auto bundle = std::make_shared<const Bundle>(pipeline.compile(model, query, warnings));
  reportWarnings(warnings, given);
  return VerifiedPrograms::of(std::move(bundle));
}

Program compile(Network network, const CompileOptions &options) {
  const std::string name = network.name();
  const auto work = [&] { return compileFitted(modelFor(std::move(network), options), options); };
  return namingMemory([&] { return "compiling " + name; },
                      [&] { return watchedResult(options.watch, "compiling", work); });
}

Program compileText(std::string_view text, const CompileOptions &options,
                    const ReadOptions &reading) {
  return compile(Network::parse(text, reading), options);
}

Program compileFile(const std::string &path, const CompileOptions &options,
                    const ReadOptions &reading) {
  return compile(Network::read(path, reading), options);
}

} // namespace mpf
