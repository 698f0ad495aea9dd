// Declares the params, domains, variables and functions of a model.
#pragma once

#include "dsl/model/build/include_files.h"
#include "dsl/model/resolve/build_context.h"

#include <vector>

namespace mpf {

/// Declares them in the order written. A declaration that needs a name from further down comes
/// after it. Reports wrong declarations, names that need each other, and names that are taken.
void declareNames(BuildContext &context, const std::vector<PlacedDecl> &decls);

} // namespace mpf
