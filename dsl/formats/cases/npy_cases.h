// Lists of cases as NumPy arrays (tables/npy_header.h), one case per row.
//
//   two-dimensional, of numbers   a column for each variable of the model, in its order: states
//   one-dimensional, of records   the names of the fields are a header (case_header.h): states,
//                                 weights of likelihoods, params, entries of tables. A field that
//                                 is an array of a table's shape is the whole table.
//
// A state that is NaN, or negative where no label is, is not observed, nor is the largest number of
// an unsigned type that is no state (255). Weights and params are numbers, NaN for none.
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

/// Reads the header; the rows are read by next(). Null when an error was reported: a broken header,
/// another number of columns than the model has variables, what resolveCaseHeader refuses, a size
/// of the file that does not fit the shape, first index fastest (Fortran order) in what is no plain
/// file. What the list needs of `model` is copied. A bad row: a number that is no state, no weight
/// or no value.
std::unique_ptr<CaseSource> openNpyCases(InputStream stream, const Model &model,
                                         Diagnostics &diagnostics, const ColumnChoice &choice = {});

inline constexpr size_t kNpyMagicBytes = 6;
/// Whether a file whose first kNpyMagicBytes are these is a .npy file.
bool isNpy(std::string_view start);

} // namespace mpf
