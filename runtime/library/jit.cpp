// Compiles a text to a bundle in one call, for host programs.
#include "codegen/pipeline/joint_queries.h"
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

/// Compiles all queries of the model, joined where that pays.
std::vector<Program> compileQueries(const Model &model, const CompileOptions &given) {
  QueryPolicy policy;
  policy.settings = settingsOf(given);
  completeForMachine(policy.settings, runFacts(model, model.queries, 0));
  chooseKernels(policy.settings, autotuneOf(given));
  policy.hooks = gpuExpectation(policy.settings);
  policy.report = [&given](const Diagnostics &warnings) { reportWarnings(warnings, given); };
  std::vector<Program> programs;
  compileJoined(model, model.queries, policy, [&programs](Bundle bundle) {
    programs.push_back(VerifiedPrograms::of(std::make_shared<const Bundle>(std::move(bundle))));
  });
  return programs;
}

/// Returns the result of `compile` for the model of the network, whose params are fitted first.
template <class Compile>
auto compiled(Network network, const CompileOptions &options, const Compile &compile) {
  const std::string name = network.name();
  const auto work = [&] {
    Model model = modelFor(std::move(network), options);
    if (hasTargets(model))
      model = fitted(std::move(model), fitRunsFor(options));
    return compile(model);
  };
  return namingMemory([&] { return "compiling " + name; },
                      [&] { return watchedResult(options.watch, "compiling", work); });
}

} // namespace

Program compileModel(const Model &model, const CompileOptions &given) {
  onlyQuery(model);
  return std::move(compileQueries(model, given).front());
}

Program compile(Network network, const CompileOptions &options) {
  return compiled(std::move(network), options,
                  [&](const Model &model) { return compileModel(model, options); });
}

std::vector<Program> compileAll(Network network, const CompileOptions &options) {
  return compiled(std::move(network), options,
                  [&](const Model &model) { return compileQueries(model, options); });
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
