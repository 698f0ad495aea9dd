// Model -> .mpf source in canonical form.
#pragma once

#include "dsl/model/model.h"

#include <string>

namespace mpf {

/// The model as printMpf (print_mpf.h) prints it, formatted as `mpfc fmt` does. A text beyond the
/// bounds of a source file is left unformatted. Throws as printMpf.
std::string writeMpf(const Model &model);

} // namespace mpf
