#include "tools/mpfc/compile/load_model.h"

#include "dsl/formats/cases/open_cases.h"
#include "dsl/formats/model_files.h"
#include "dsl/formats/order_file.h"
#include "dsl/formats/uai_evidence.h"
#include "dsl/model/build/read_model.h"
#include "dsl/support/error.h"
#include "tools/mpfc/options/check_options.h"
#include "tools/mpfc/process/output.h"

namespace mpf::driver {

namespace {

/// The evidence file to read, if any: as asked for, or the one that lies beside the model.
std::optional<std::string> evidencePath(const Options &options) {
  if (options.evidence || options.noEvidence)
    return options.evidence;
  if (options.startStage != Stage::Source)
    return std::nullopt;
  const std::optional<std::string> beside = evidenceBeside(options.input);
  if (beside)
    say("mpfc: note: evidence from {} (--no-evid: none)\n", *beside);
  return beside;
}

/// The cases of a file beside what the model observes, which holds in every case.
bool addCases(const std::string &path, Model &model, Diagnostics &diagnostics) {
  if (listsCases(model)) {
    diagnostics.error(model.listedCases, "a second list of cases: {} is one too", path);
    return false;
  }
  model.cases = openCases(path, model, diagnostics);
  return model.cases != nullptr;
}

} // namespace

LoadedModel loadModel(const Options &options, Diagnostics &diagnostics) {
  LoadedModel loaded;
  loaded.source = loadText(options.input);
  loaded.model = options.startStage == Stage::Model
                     ? readModel(loaded.source, diagnostics, {}, filesOnDisk())
                     : readModelFile(loaded.source, diagnostics, options.params);
  const std::optional<std::string> evidence = evidencePath(options);
  if (loaded.model && evidence && !readEvidence(loadText(*evidence), *loaded.model, diagnostics))
    loaded.model.reset();
  if (loaded.model && !options.virtualEvidence.empty() &&
      !readVirtualEvidence(loadText(options.virtualEvidence), *loaded.model, diagnostics))
    loaded.model.reset();
  if (loaded.model && !options.cases.empty() &&
      !addCases(options.cases, *loaded.model, diagnostics))
    loaded.model.reset();
  if (loaded.model && !options.orderFile.empty()) {
    std::optional<PartialOrder> order =
        readOrderFile(loadText(options.orderFile), *loaded.model, diagnostics);
    if (order)
      loaded.model->orders = {std::move(*order)};
    else
      loaded.model.reset();
  }
  return loaded;
}

Model loadModelOrFail(const Options &options) {
  Diagnostics diagnostics;
  LoadedModel loaded = loadModel(options, diagnostics);
  printDiagnostics(diagnostics);
  if (!loaded.model)
    fail(ErrorKind::Internal, "{}: no model and no error reported", options.input);
  checkSearch(options, *loaded.model);
  return std::move(*loaded.model);
}

} // namespace mpf::driver
