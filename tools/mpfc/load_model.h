// The model that the command line names, with its evidence: what every command starts from.
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
  std::shared_ptr<const SourceBuffer> source; ///< of options.input
  std::optional<Model> model;                 ///< none: errors were reported
};

/// Reads options.input (-x STAGE, else by its ending, read_model_file.h) and the evidence:
/// --evid, or a file MODEL.evid beside MODEL, which is said on stderr;
/// --virtual-evid. Throws Error for files that cannot be opened and for endings it does not know.
LoadedModel loadModel(const Options &options, Diagnostics &diagnostics);

/// The same for commands that need it: prints what was reported, throws if there is no model.
Model loadModelOrFail(const Options &options);

} // namespace mpf::driver
