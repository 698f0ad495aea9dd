// Model -> .mpf source in canonical form.
#pragma once

#include "dsl/model/model.h"

#include <string>

namespace mpf {

/// Returns the text of printMpf (print_mpf.h), formatted like `mpfc fmt`. A text beyond the limits
/// of a source file is not formatted. Throws as printMpf.
std::string writeMpf(const Model &model);

} // namespace mpf
