#include "runtime/api/jit_model.h"

#include "dsl/formats/load_text.h"
#include "dsl/formats/read_model_file.h"
#include "dsl/formats/uai_evidence.h"
#include "dsl/model/build/build_model.h"
#include "dsl/source/text_error.h"
#include "runtime/api/check_session.h"
#include "runtime/api/gpu_backend.h"

#include <memory>

namespace mpf {

/// All that was reported, as the message of one error.
[[noreturn]] void failWith(const Diagnostics &diagnostics) {
  throw Error(ErrorKind::BadInput, messageOf(diagnostics));
}

const Query &selectQuery(const Model &model, const std::string &name) {
  if (name.empty() && model.queries.size() == 1)
    return model.queries.front();
  std::string names;
  for (const Query &query : model.queries) {
    if (query.name == name)
      return query;
    names += (names.empty() ? "" : ", ") + query.name;
  }
  if (name.empty())
    fail(ErrorKind::Usage, "the model has {} queries ({}): name the one to compile",
         model.queries.size(), names);
  fail(ErrorKind::Usage, "the model has no query {}; it has {}", name, names);
}

namespace {

std::optional<ElementType> typeNamed(const std::string &name) {
  const std::optional<ElementType> type = elementTypeNamed(name);
  if (!type && !name.empty())
    fail(ErrorKind::Usage, "unknown element type '{}': f64, f32, u64 or u128", name);
  return type;
}

void checkOptions(const CompileOptions &options) {
  checkDevice(options.device);
  checkSchedule(options.device, options.schedule);
  checkExpectedRuns(options.expectedRuns);
  if (options.finalEvidence && !options.finalTables)
    fail(ErrorKind::Usage, "finalEvidence is for programs with finalTables");
}

Model withEvidence(std::optional<Model> model, Diagnostics &diagnostics,
                   const CompileOptions &options) {
  if (model && options.evidence && !readEvidence(loadText(*options.evidence), *model, diagnostics))
    model.reset();
  if (!model)
    failWith(diagnostics);
  return std::move(*model);
}

} // namespace

/// What the host program says, in the words that mpfc's command line shares.
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
  settings.device = options.device;
  settings.schedule = options.schedule;
  settings.target = options.gpuArch;
  settings.expectedRuns = options.expectedRuns;
  settings.gpuExpected = expectGpuBackend;
  return settings;
}

Model readTextFor(std::string_view text, const CompileOptions &options,
                  const std::set<std::string> &varying) {
  Diagnostics diagnostics;
  const auto source = std::make_shared<const SourceBuffer>("<text>", std::string(text));
  BuildOptions build;
  build.params.varying = varying;
  build.normalise = options.normalise;
  return withEvidence(readMpf(source, diagnostics, build), diagnostics, options);
}

Model readFileFor(const std::string &path, const CompileOptions &options,
                  const std::set<std::string> &varying) {
  Diagnostics diagnostics;
  ModelReadOptions reading;
  reading.build.normalise = options.normalise;
  reading.build.files = filesOnDisk({}, reading);
  reading.build.params.varying = varying;
  return withEvidence(readModelFile(loadText(path), diagnostics, reading), diagnostics, options);
}

} // namespace mpf
