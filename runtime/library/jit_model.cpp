#include "runtime/library/jit_model.h"

#include "dsl/support/check.h"
#include "runtime/library/network_model.h"
#include "runtime/library/network_state.h"
#include "runtime/machine/gpu_backend.h"
#include "runtime/session/check_session.h"

#include <utility>

namespace mpf {

void reportWarnings(const Diagnostics &diagnostics, const CompileOptions &options) {
  if (options.warnings != nullptr)
    appendWarnings(diagnostics, *options.warnings);
}

const Query &onlyQuery(const Model &model) {
  if (model.queries.size() == 1)
    return model.queries.front();
  if (model.queries.empty())
    fail(ErrorKind::Usage, "the model has no query: name the one to compile, such as marginals");
  std::string names;
  for (const Query &query : model.queries)
    names += (names.empty() ? "" : ", ") + query.name;
  fail(ErrorKind::Usage, "the model has {} queries ({}): name the one to compile",
       model.queries.size(), names);
}

namespace {

std::optional<ElementType> typeNamed(const std::string &name) {
  const std::optional<ElementType> type = elementTypeNamed(name);
  if (!type && !name.empty())
    fail(ErrorKind::Usage, "unknown element type '{}': f64, f32, u64 or u128", name);
  return type;
}

void checkOptions(const CompileOptions &options) {
  checkExpectedRuns(options.expectedRuns);
  if (options.finalEvidence && !options.finalTables)
    fail(ErrorKind::Usage, "finalEvidence is for programs with finalTables");
}

} // namespace

CompileSettings settingsOf(const CompileOptions &options) {
  checkOptions(options);
  CompileSettings settings;
  settings.purpose = Purpose::Sessions;
  settings.type = typeNamed(options.type);
  settings.forcedLog = options.forcedLog;
  settings.simplify = options.finalEvidence ? Simplification::All
                      : options.finalTables ? Simplification::Tables
                                            : Simplification::Off;
  settings.maxMemoryBytes = options.maxMemoryBytes;
  settings.keep = options.keepMessages ? KeptMessages::All : KeptMessages::Constant;
  settings.devices = deviceRequestOf(options.device, options.schedule);
  settings.target = options.gpuArch;
  settings.expectedRuns = options.expectedRuns;
  settings.gpuExpected = expectGpuBackend;
  return settings;
}

Model modelFor(Network network, const CompileOptions &options) {
  return NetworkModel::asked(std::move(network),
                             {options.unobserve, options.observe, options.query, options.warnings});
}

} // namespace mpf
