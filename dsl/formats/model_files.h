// The files a .mpf model may name, read from the disk: what BuildOptions::files is for.
#pragma once

#include "dsl/model/resolve/build_options.h"

namespace mpf {

/// Included .mpf files, tables (table_file.h), cases (cases_file.h) and imports (by their ending,
/// model_formats.h). Compressed files are unpacked. An ending nobody knows is an error that lists
/// the known ones.
ModelFiles filesOnDisk();

} // namespace mpf
