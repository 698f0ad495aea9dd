// Lists of cases as CSV (RFC 4180): a header that names columns (case_header.h), one case per row.
//
//   rain,wet=no,wet=yes,"s[0][1]"
//   yes,,,1                   states by label or number; an empty cell is not observed
//   no,0.25,1,                weights of a likelihood: all of them or none
//
// Blanks around a cell are ignored; lines without any character are skipped. A cell in quotes may
// contain line ends (csv_records.h). The text may have any size, a row has at most 16 MiB.
#pragma once

#include "dsl/formats/cases/columns/column_choice.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"
#include "dsl/support/cases/case_source.h"
#include "dsl/support/files/input_stream.h"

#include <memory>
#include <string>

namespace mpf {

/// Reads the header; next() reads the rows. Returns null when an error was reported. The result
/// keeps copies of all that it needs of `model`.
///
/// Rows are bad for these reasons:
/// - an unknown label or state, or a param or entry that is no finite number
/// - another number of cells than the header has, or an open quote
/// - a weight that is negative or not finite
/// - a likelihood with only some of its weights, or with zeros only
/// - a length of more than 16 MiB
std::unique_ptr<CaseSource> openCsvCases(InputStream stream, const Model &model,
                                         Diagnostics &diagnostics, const ColumnChoice &choice = {});

} // namespace mpf
