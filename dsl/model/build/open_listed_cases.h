// The file of a list of cases that a model names.
#pragma once

#include "dsl/model/model.h"
#include "dsl/model/resolve/build_options.h"

#include <string>

namespace mpf {

/// Gives the model the list, whose columns name what is declared by then. What is wrong with the
/// file is reported, at Model::listedCases where the file has no place for it.
void openListedCases(Model &model, const ModelFiles &files, const std::string &path,
                     Diagnostics &diagnostics);

} // namespace mpf
