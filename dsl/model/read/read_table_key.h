// `table=` of a line of print_model.h: where a factor has its values.
#pragma once

#include "dsl/model/model.h"

#include <memory>
#include <string_view>
#include <vector>

namespace mpf {

/// Tables by number, in the order of the text.
using TablesSoFar = std::vector<std::shared_ptr<std::vector<double>>>;

/// Gives `factor` what "2", "wide:2", "input", "input:2" or "signed-input" says. False: the text is
/// none of these, or names a table that is not there.
bool readTableKey(std::string_view key, const TablesSoFar &tables, Factor &factor);

/// Moves the values that readTableKey set to Factor::target: they are the posterior that the
/// variable shall have. Returns false if the factor has no values, or only defaults.
bool makeTarget(Factor &factor);

} // namespace mpf
