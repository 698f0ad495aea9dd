// Which queries of a model are meant: --task and --query-name.
#pragma once

#include "dsl/model/model.h"
#include "tools/mpfc/options/options.h"

#include <string>
#include <vector>

namespace mpf::driver {

/// The queries to work on, in the model's order, at least one. --task PR, MAR or MPE stands for
/// the short form over every factor, whatever the model asks for; --query-name picks one.
/// Throws Error(Usage) when there is none of that name, naming those there are.
std::vector<Query> selectQueries(const Model &model, const Options &options);

std::vector<std::string> namesOf(const std::vector<Query> &queries);

} // namespace mpf::driver
