// --engine tables: the stages of the engine that answers many cases of a list by one run of an
// ordinary program (runtime/engine/table_engine.h).
#pragma once

#include "dsl/model/model.h"
#include "tools/mpfc/options/options.h"

#include <string>

namespace mpf::driver {

/// The program of one run, as a model of its own with the case variable: every stage of it is the
/// stage of an ordinary model.
struct CaseTablesInput {
  Model model;     ///< its one query asks for the answers of all cases of a run
  Options options; ///< with which the engine would compile it
  /// Comments that a text may begin with: cases of a run and of a block, what cases set, which
  /// factors a run binds.
  std::string heading;
};

/// Of the selected query of `model`, which has a list of cases, planned for its rows: for the CPU,
/// or for the GPU of --target where that is asked for (--device gpu) or `stage` is a kernel of one.
/// No device is opened. Throws Error(Usage) where there is not one query, and as planning the
/// engine does.
CaseTablesInput caseTablesOf(const Model &model, const Options &options, Stage stage);

/// Whether a run of `model` on that device answers its list by that program, as it is predicted.
/// False of several queries: each has an engine of its own. Throws as planning does.
bool isAnsweredByTables(const Model &model, const Options &options, Stage stage);

} // namespace mpf::driver
