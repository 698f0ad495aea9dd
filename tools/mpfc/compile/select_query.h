// Selects the queries of a model by --task and --uai-query.
#pragma once

#include "dsl/model/model.h"
#include "tools/mpfc/options/options.h"

#include <string>
#include <vector>

namespace mpf::driver {

/// Returns the selected queries in the model's order, at least one. --task PR, MAR or MPE selects
/// the short form of that query over every factor, whatever queries the model has. The short form,
/// and a joint posterior of --uai-query, has the type that the model gives the same one. Else they
/// are the model's, which --query has replaced (load_model.h). Throws Error(Usage) when it has
/// none.
std::vector<Query> selectQueries(const Model &model, const Options &options);

std::vector<std::string> namesOf(const std::vector<Query> &queries);

} // namespace mpf::driver
