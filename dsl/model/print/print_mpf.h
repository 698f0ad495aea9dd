// A Model as .mpf source that people can read: `mpfc import x.uai -o x.mpf`.
//
// Building the printed text gives the Model again: the same variables, labels, factor names, table
// bits, evidence, orders and queries, in the same order. There are three exceptions:
// - a `conditional` factor whose rows miss 1 by more than the language allows, or that is not
//   called P(child), prints as a `factor` of the same name and values;
// - a swept param prints with all its values, but the tables have the numbers of the first value;
// - a list of cases cannot be printed, because .mpf keeps it in another file.
#pragma once

#include "dsl/model/model.h"

#include <string>

namespace mpf {

/// Throws Error(Unsupported) for a Model with a list of cases.
std::string printMpf(const Model &model);

} // namespace mpf
