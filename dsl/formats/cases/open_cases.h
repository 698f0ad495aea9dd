// Opens a list of cases of any format.
#pragma once

#include "dsl/formats/cases/columns/column_choice.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"
#include "dsl/support/cases/case_source.h"

#include <memory>
#include <string>

namespace mpf {

/// Opens the file `path` ("-": the standard input), plain or packed (.gz, .xz, .zst), and reads its
/// header; next() reads the rows. A file that starts like a .npy file is one (npy_cases.h), any
/// other is CSV (csv_cases.h). `choice`: options for columns (column_choice.h). Returns null when
/// an error was reported. Throws Error(BadInput) when the file cannot be read.
std::unique_ptr<CaseSource> openCases(const std::string &path, const Model &model,
                                      Diagnostics &diagnostics, const ColumnChoice &choice = {});

} // namespace mpf
