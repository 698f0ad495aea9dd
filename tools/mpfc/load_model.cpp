#include "tools/mpfc/load_model.h"

#include "dsl/formats/model_files.h"
#include "dsl/formats/uai_evidence.h"
#include "dsl/formats/uai_reader.h"
#include "dsl/model/build_model.h"
#include "dsl/model/read_model.h"
#include "dsl/support/error.h"
#include "dsl/support/file_input.h"
#include "tools/mpfc/output.h"

#include <filesystem>

namespace mpf::driver {

std::shared_ptr<const SourceBuffer> loadText(const std::string &path) {
  return std::make_shared<const SourceBuffer>(path, readFile(path));
}

namespace {

std::optional<Model> readByEnding(const Options &options,
                                  std::shared_ptr<const SourceBuffer> source,
                                  Diagnostics &diagnostics) {
  const std::string &path = options.input;
  const std::string plainPath = withoutCompressionSuffix(path);
  if (plainPath.ends_with(".mpf")) {
    BuildOptions build;
    build.params = options.params;
    build.files = filesOnDisk();
    return readMpf(std::move(source), diagnostics, build);
  }
  if (!options.params.empty())
    fail(ErrorKind::Usage, "-D {}: only .mpf models have params", options.params.begin()->first);
  if (plainPath.ends_with(".uai")) {
    std::optional<Model> model = readUai(std::move(source), diagnostics);
    if (model)
      model->name = modelNameFor(path);
    return model;
  }
  fail(ErrorKind::Usage,
       "{}: cannot tell by its name what this file holds; known are .mpf, .uai, compressed "
       "(.gz, .xz, .zst) or not, and -x {}",
       path, startingStageNames());
}

/// The evidence file to read, if any: as asked for, or the one that lies beside a .uai model.
std::optional<std::string> evidencePath(const Options &options) {
  if (options.evidence || options.noEvidence)
    return options.evidence;
  if (options.startStage != Stage::Source)
    return std::nullopt;
  const std::string plainPath = withoutCompressionSuffix(options.input);
  std::error_code ignored; // an unreadable folder is no evidence
  const std::string beside = plainPath + ".evid";
  if (!plainPath.ends_with(".uai") || !std::filesystem::is_regular_file(beside, ignored))
    return std::nullopt;
  fmt::print(stderr, "mpfc: note: evidence from {} (--no-evid: none)\n", beside);
  return beside;
}

} // namespace

LoadedModel loadModel(const Options &options, Diagnostics &diagnostics) {
  LoadedModel loaded;
  loaded.source = loadText(options.input);
  loaded.model = options.startStage == Stage::Model
                     ? readModel(loaded.source, diagnostics)
                     : readByEnding(options, loaded.source, diagnostics);
  const std::optional<std::string> evidence = evidencePath(options);
  if (loaded.model && evidence && !readEvidence(loadText(*evidence), *loaded.model, diagnostics))
    loaded.model.reset();
  return loaded;
}

Model loadModelOrFail(const Options &options) {
  Diagnostics diagnostics;
  LoadedModel loaded = loadModel(options, diagnostics);
  printDiagnostics(diagnostics);
  if (!loaded.model)
    fail(ErrorKind::Internal, "{}: no model and no error reported", options.input);
  return std::move(*loaded.model);
}

} // namespace mpf::driver
