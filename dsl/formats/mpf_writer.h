// Model -> .mpf source, as people would keep it.
#pragma once

#include "dsl/model/model.h"

#include <string>

namespace mpf {

/// The model in the canonical form of its source, as `mpfc fmt` would leave it. What is beyond the
/// bounds of a source file stays as it is printed.
std::string writeMpf(const Model &model);

} // namespace mpf
