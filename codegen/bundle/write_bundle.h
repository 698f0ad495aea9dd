// Bundle -> .mpfb file.
#pragma once

#include "codegen/bundle/bundle.h"

namespace mpf {

/// The file's bytes. Byte-identical for equal bundles.
std::string serializeBundle(const Bundle &bundle);

/// Writes beside `path` and renames: readers never see half a file. Throws Error(BadInput).
void writeBundle(const std::string &path, const Bundle &bundle);

} // namespace mpf
