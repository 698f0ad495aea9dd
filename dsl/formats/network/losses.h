// Sentences for the user on parts of a model that a file of another program cannot hold.
#pragma once

#include "dsl/model/model.h"

#include <string>
#include <vector>

namespace mpf {

/// Returns a sentence for each loss of every format other than .mpf: lists of cases, and all values
/// but the first of swept params. `losesCauses`: noisy-max are written as tables.
std::vector<std::string> commonLosses(const Model &model, bool losesCauses);

} // namespace mpf
