// The stages of --engine tables, which answers many cases of a list by one run of an ordinary
// program (runtime/engine/tables/table_engine.h).
#pragma once

#include "dsl/model/model.h"
#include "tools/mpfc/options/options.h"

#include <string>

namespace mpf::driver {

/// The program of one run, as a separate model with the case variable. Each of its stages is the
/// stage of an ordinary model.
struct CaseTablesInput {
  Model model;     ///< its one query asks for the answers of all cases of a run
  Options options; ///< the options with which the engine would compile it
  /// Comments that a text may begin with: the number of cases of a run and of a block, the columns
  /// that cases set, the factors that a run binds.
  std::string heading;
};

/// Plans the selected query of `model`, which has a list of cases. The plan is for the CPU, or for
/// the GPU of --target with --device gpu or if `stage` is a GPU's kernel. No device is opened.
/// Throws Error(Usage) unless there is exactly one query, and as planning the engine does.
CaseTablesInput caseTablesOf(const Model &model, const Options &options, Stage stage);

/// Whether a run of `model` on that device would answer its list by tables, according to predicted
/// times. False for several queries: each has a separate engine. Throws as planning does.
bool isAnsweredByTables(const Model &model, const Options &options, Stage stage);

} // namespace mpf::driver
