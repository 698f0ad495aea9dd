// Reads the numbers of one table from a separate file: `factor h(w, y) = file("h.npy")`.
//
//   *.npy       NumPy array (npy_file.h)
//   *.csv       cells between commas, one row per line, every row as long as the first
//   any other   numbers between blanks; '#' starts a comment (numpy.savetxt writes such files);
//               text_table.h reads both
// Files compressed by gzip, xz or zstd are unpacked; .gz, .xz or .zst may follow the ending.
#pragma once

#include "dsl/model/table_file.h"
#include "dsl/source/diagnostic.h"

#include <cstdint>
#include <optional>
#include <string>

namespace mpf {

/// Reads `path`, relative to the working directory. More than `maxEntries` numbers are an error
/// that says how many there are; no more are kept in memory. `place` is where the model names the
/// file. Errors about the whole file are reported there; errors inside a text are reported at their
/// place in the text, with a note at `place`. Nothing when an error was reported.
std::optional<TableFile> readTableFile(const std::string &path, uint64_t maxEntries,
                                       Diagnostics &diagnostics, const SourcePlace &place);

} // namespace mpf
