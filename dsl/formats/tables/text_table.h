// Tables as text: cells between commas, or numbers between blanks; '#' starts a comment.
#pragma once

#include "dsl/formats/tables/stored_array.h"
#include "dsl/source/diagnostic.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace mpf {

/// The most errors shown of one text: a file of another kind has an error in each cell.
inline constexpr size_t kMostTextErrors = 3;

/// Returns the numbers of the text. Its shape is {rows, columns}. A text of numbers between blanks
/// is ragged if its rows have different lengths. An empty cell, '_' and NaN are missing numbers.
/// `commas`: commas separate cells. A text of more than `maxEntries` numbers is an error that gives
/// their number; the rest is not kept in memory. Returns nothing when an error was reported.
std::optional<StoredArray> readTextTable(std::shared_ptr<const SourceBuffer> text, bool commas,
                                         uint64_t maxEntries, Diagnostics &diagnostics);

} // namespace mpf
