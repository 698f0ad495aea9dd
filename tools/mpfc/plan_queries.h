// Model -> table programs, as the command line asks: the pipeline with its settings and hooks.
#pragma once

#include "codegen/pipeline/model_pipeline.h"
#include "codegen/plan/program/read_program.h"
#include "tools/mpfc/options/options.h"
#include "tools/mpfc/refusals.h"

#include <functional>
#include <string>
#include <vector>

namespace mpf::driver {

/// How queries are compiled: --print-after, --print-changed, --time-passes and performance warnings
/// go to stderr; the first Ctrl-C while a query is planned ends the searches, of all queries that
/// are still to be planned. Throws Error(Usage) for passes that there are not.
QueryPolicy queryPolicyFor(const Options &options, Refusals &refusals);

/// Plans the selected queries one after the other; those that are not refused are handed on before
/// the next one begins.
void planEach(const Model &model, const Options &options, Refusals &refusals,
              const std::function<void(PlannedQuery)> &take);

/// Likewise the selected queries of `model`, simplified as far as the options say.
void simplifyEach(const Model &model, const Options &options, Refusals &refusals,
                  const std::function<void(Simplified)> &take);

/// The programs in the text file `path`: -x plan, --plan. `stages`: what must hold of them.
std::vector<ReadProgram> readPlans(const std::string &path, const VerifyStages &stages = {});

struct TypedProgram {
  TableProgram program;
  ElementType type = ElementType::F64;
};

/// The programs for options.input: read with -x plan, and put through --run-pass; else planned from
/// the model. Without those of refused queries.
std::vector<TypedProgram> programsFor(const Options &options, Refusals &refusals);

} // namespace mpf::driver
