// Reads the files that a .mpf model names from the disk, for BuildOptions::files.
#pragma once

#include "dsl/formats/cases/columns/column_choice.h"
#include "dsl/formats/network/model_read_options.h"

namespace mpf {

/// Returns functions that read included .mpf files, arrays (tables/array_files.h), cases
/// (cases/open_cases.h) and imports, whose ending gives their format (model_formats.h). Compressed
/// files are unpacked. `columns`: options for the columns of cases. `networks`: options for
/// imports; the importing model checks them as a part of itself. An unknown ending of an import is
/// an error that lists the known ones.
ModelFiles filesOnDisk(const ColumnChoice &columns = {}, ModelReadOptions networks = {});

} // namespace mpf
