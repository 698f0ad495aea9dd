// Compiles the queries of a model to bundles, as the command line asks.
#pragma once

#include "codegen/bundle/forms/program_file.h"
#include "dsl/model/model.h"
#include "tools/mpfc/options/options.h"
#include "tools/mpfc/process/refusals.h"

#include <functional>
#include <string>
#include <unordered_set>
#include <variant>
#include <vector>

namespace mpf::driver {

/// The content of options.input: a model, or the program of a .mpfb file (also -x bundle).
using CompileInput = std::variant<Model, StoredProgram>;
/// `refusals`: as for loadModelOrFail.
CompileInput loadInput(const Options &options, Refusals *refusals = nullptr);

/// Whether one bundle may answer several queries (codegen/pipeline/joint_queries.h).
enum class Joining { Never, WhereItPays };

/// Returns one bundle for each selected query of a model that is not refused, or the bundle of a
/// .mpfb file. With --plan, it compiles the queries that the plan text answers. With --target, the
/// bundles contain kernels for that GPU. Throws Error(BadInput) for a lane program.
std::vector<Bundle> compileQueries(CompileInput input, const Options &options, Refusals &refusals,
                                   Joining joining = Joining::Never);

/// Compiles as compileQueries, but calls `take` with each bundle before it plans the next query, so
/// that a run can answer queries one by one. A model stays unchanged; a bundle is moved from.
void compileEach(CompileInput &&input, const Options &options, Refusals &refusals,
                 const std::function<void(Bundle)> &take, Joining joining = Joining::Never);

/// Compiles those queries of the model that `names` has, each alone. `take` as for compileEach.
void compileApart(const Model &model, const std::unordered_set<std::string> &names,
                  const Options &options, Refusals &refusals,
                  const std::function<void(Bundle)> &take);

} // namespace mpf::driver
