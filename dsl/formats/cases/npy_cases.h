// Reads lists of cases from NumPy arrays (tables/npy_header.h), one case per row.
//
//   two-dimensional, of numbers   one column for each variable, in the order of the model: states
//   one-dimensional, of records   the names of the fields are a header (case_header.h): states,
//                                 weights of likelihoods, params, entries of tables. A field that
//                                 is an array with the shape of a table is the whole table.
//
// A state is not observed if it is NaN, a negative number that is no label, or the largest number
// of an unsigned type (255) unless that is a state. A weight or param that is NaN is not given.
#pragma once

#include "dsl/formats/cases/columns/column_choice.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"
#include "dsl/support/cases/case_source.h"
#include "dsl/support/files/input_stream.h"

#include <memory>
#include <string>
#include <vector>

namespace mpf {

/// Reads the header; next() reads the rows. The result keeps copies of all that it needs of
/// `model`. A row is bad if it has a number that is no valid state, weight or value.
///
/// Returns null when an error was reported:
/// - a broken header, or one that resolveCaseHeader refuses
/// - another number of columns than the model has variables
/// - a size of the file that does not fit the shape
/// - Fortran order (first index fastest), unless the file is plain, neither a pipe nor packed
std::unique_ptr<CaseSource> openNpyCases(InputStream stream, const Model &model,
                                         Diagnostics &diagnostics, const ColumnChoice &choice = {});

inline constexpr size_t kNpyMagicBytes = 6;
/// Whether a file whose first kNpyMagicBytes are these is a .npy file.
bool isNpy(std::string_view start);

} // namespace mpf
