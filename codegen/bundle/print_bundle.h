// Bundle -> text for people (--emit=bundle): indented JSON, sizes in place of bulk data.
#pragma once

#include "codegen/bundle/bundle.h"

namespace mpf {

/// Ends with a newline. Byte-identical for equal bundles.
std::string printBundle(const Bundle &bundle);

} // namespace mpf
