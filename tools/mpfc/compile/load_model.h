// Loads the model that the command line names, with its evidence. Every command starts with this.
#pragma once

#include "dsl/formats/load_text.h"
#include "dsl/formats/read_model_file.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"
#include "tools/mpfc/options/options.h"

#include <memory>
#include <optional>

namespace mpf::driver {

struct LoadedModel {
  std::shared_ptr<const SourceBuffer> source; ///< text of options.input
  std::optional<Model> model;                 ///< none: errors were reported
};

/// Reads options.input, in the format of -x STAGE or of the file's ending (read_model_file.h).
/// Reads the evidence: the file of --evidence, else the one beside MODEL (evidenceBeside; a note on
/// stderr says which), and the file of --likelihoods. Then applies --unobserve, --observe and
/// --query (ask_model.h). Throws Error for files that cannot be opened and for unknown endings.
/// Throws before it reads a file that the model names and that the command would write
/// (written_files.h).
LoadedModel loadModel(const Options &options, Diagnostics &diagnostics);

/// Loads the model as loadModel does and prints the reports. Throws if there is no model.
Model loadModelOrFail(const Options &options);

/// Opens the list of --cases; the findings of the model hold in every case. Prints errors of the
/// list and throws Error(BadInput) for them.
void addCasesOrFail(const Options &options, Model &model);

} // namespace mpf::driver
