// Reads the files that a .mpf model names from the disk, for BuildOptions::files.
#pragma once

#include "dsl/formats/cases/columns/column_choice.h"
#include "dsl/formats/model_read_options.h"

namespace mpf {

/// Functions for included .mpf files, tables (table_file.h), cases (cases/open_cases.h) and
/// imports, whose format follows from their ending (model_formats.h). Compressed files are
/// unpacked. `columns`: what is said of those of cases. `networks`: how imports are read; they are
/// checked as a part of what imports them. An unknown ending of an import is an error that lists
/// the known ones.
ModelFiles filesOnDisk(const ColumnChoice &columns = {}, ModelReadOptions networks = {});

} // namespace mpf
