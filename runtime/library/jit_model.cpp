#include "runtime/library/jit_model.h"

#include "dsl/formats/load_text.h"
#include "dsl/formats/model_files.h"
#include "dsl/formats/read_model_file.h"
#include "dsl/formats/uai/uai_evidence.h"
#include "dsl/model/build/ask_model.h"
#include "dsl/model/build/build_model.h"
#include "dsl/source/text_error.h"
#include "dsl/support/check.h"
#include "runtime/machine/gpu_backend.h"
#include "runtime/session/check_session.h"

#include <memory>

namespace mpf {

/// Returns all reports as the message of one error.
[[noreturn]] void failWith(const Diagnostics &diagnostics) {
  throw Error(ErrorKind::BadInput, messageOf(diagnostics));
}

void reportWarnings(const Diagnostics &diagnostics, const CompileOptions &options) {
  if (options.warnings == nullptr)
    return;
  for (const Diagnostic &diagnostic : diagnostics.all())
    if (diagnostic.severity == Severity::Note && !options.warnings->empty())
      options.warnings->back() += renderDiagnostic(diagnostic);
    else
      options.warnings->push_back(renderDiagnostic(diagnostic));
}

const Query &onlyQuery(const Model &model) {
  if (model.queries.size() == 1)
    return model.queries.front();
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

NumberReading readingNamed(const std::string &name) {
  if (name.empty())
    return NumberReading::Both;
  if (name != "labels" && name != "numbers")
    fail(ErrorKind::Usage, "unknown reading of states '{}': labels or numbers", name);
  return name == "labels" ? NumberReading::Label : NumberReading::Place;
}

void checkOptions(const CompileOptions &options) {
  checkExpectedRuns(options.expectedRuns);
  if (!options.states.empty() && !options.evidence)
    fail(ErrorKind::Usage, "states is for numbers of an evidence file: evidence names none");
  if (options.finalEvidence && !options.finalTables)
    fail(ErrorKind::Usage, "finalEvidence is for programs with finalTables");
}

Model withEvidence(std::optional<Model> model, Diagnostics &diagnostics,
                   const CompileOptions &options) {
  if (model && options.evidence &&
      !readEvidence(loadText(*options.evidence), *model, diagnostics, readingNamed(options.states)))
    model.reset();
  if (!model)
    failWith(diagnostics);
  reportWarnings(diagnostics, options);
  ModelQuestions questions;
  const auto textOf = [](const char *name, const std::string &text) {
    return std::make_shared<const SourceBuffer>(name, text);
  };
  if (!options.observe.empty())
    questions.observe = {textOf("observe", options.observe)};
  if (!options.query.empty())
    questions.queries = {textOf("query", options.query)};
  Diagnostics asked;
  if (!questions.empty() && !askModel(*model, questions, asked))
    throw Error(ErrorKind::Usage, messageOf(asked));
  reportWarnings(asked, options);
  return std::move(*model);
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

Model readTextFor(std::string_view text, const CompileOptions &options,
                  const std::set<std::string> &varying) {
  Diagnostics diagnostics;
  const auto source = std::make_shared<const SourceBuffer>("<text>", std::string(text));
  BuildOptions build;
  build.params.varying = varying;
  build.normalise = options.normalise;
  build.files = filesOnDisk();
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
