// Reads the arrays of files that a model names: `file("h.npy")`, `file("tables.npz", "h")`.
#pragma once

#include "dsl/model/array_file.h"

#include <memory>

namespace mpf {

/// Makes a source of arrays in files on the disk (array_container.h).
std::unique_ptr<ArraySource> openArrayFiles();

} // namespace mpf
