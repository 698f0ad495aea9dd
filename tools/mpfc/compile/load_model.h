// Loads the model that the command line names, with its evidence. Every command starts with this.
#pragma once

#include "dsl/formats/load_text.h"
#include "dsl/formats/read_model_file.h"
#include "dsl/model/build/ask_model.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"
#include "tools/mpfc/options/options.h"
#include "tools/mpfc/process/refusals.h"

#include <memory>
#include <optional>
#include <vector>

namespace mpf::driver {

struct LoadedModel {
  std::shared_ptr<const SourceBuffer> source; ///< text of options.input
  std::optional<Model> model;                 ///< none: errors were reported
  std::vector<RefusedQuery> refused;          ///< queries that left the model (askModel)
};

/// Reads options.input, in the format of -x STAGE or of the file's ending (read_model_file.h).
/// Reads the evidence: the file of --evidence, else the one beside MODEL (evidenceBeside; a note on
/// stderr says which), and the file of --likelihoods. Then applies --unobserve, --observe and
/// --query (ask_model.h). Throws Error for files that cannot be opened and for unknown endings.
/// Throws before it reads a file that the model names and that the command would write
/// (written_files.h). `mayRefuse`: queries that the evidence contradicts are refused, if others
/// stay; otherwise they are errors.
LoadedModel loadModel(const Options &options, Diagnostics &diagnostics, bool mayRefuse = false);

/// Loads the model as loadModel does and prints the reports. Throws if there is no model.
/// `refusals`: takes the queries that the evidence contradicts, and says so, if others stay. Null:
/// such a query is an error.
Model loadModelOrFail(const Options &options, Refusals *refusals = nullptr);

/// Opens the list of --cases; the findings of the model hold in every case. Prints errors of the
/// list and throws Error(BadInput) for them.
void addCasesOrFail(const Options &options, Model &model);

} // namespace mpf::driver
