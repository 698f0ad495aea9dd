// Plans the queries of a model, as the command line asks: sets up the pipeline with its settings
// and hooks.
#pragma once

#include "codegen/pipeline/pipeline.h"
#include "codegen/plan/program/read_program.h"
#include "tools/mpfc/options/options.h"
#include "tools/mpfc/process/refusals.h"

#include <functional>
#include <string>
#include <vector>

namespace mpf::driver {

/// Plans the selected queries one after another. Calls `take` with each plan before the next query
/// is planned; refused queries are skipped.
void planEach(const Model &model, const Options &options, Refusals &refusals,
              const std::function<void(PlannedQuery)> &take);

/// Simplifies the selected queries of `model`, as far as the options demand. Calls `take` as
/// planEach does.
void simplifyEach(const Model &model, const Options &options, Refusals &refusals,
                  const std::function<void(Simplified)> &take);

/// Reads the programs in the text file `path` (-x plan, --plan). `stages` says which checks of
/// verify_program.h they must pass.
std::vector<ReadProgram> readPlans(const std::string &path, const VerifyStages &stages = {});

struct TypedProgram {
  TableProgram program;
  ElementType type = ElementType::F64;
};

/// Returns the programs for options.input. With -x plan they are read from the text and run through
/// --run-pass, else planned from the model. Refused queries have none.
std::vector<TypedProgram> programsFor(const Options &options, Refusals &refusals);
/// Plans the programs of a model that is loaded already.
std::vector<TypedProgram> programsFor(const Model &model, const Options &options,
                                      Refusals &refusals);

} // namespace mpf::driver
