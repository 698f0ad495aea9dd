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

/// Reads `path`, relative to the working directory. A file of more than `maxEntries` numbers is an
/// error that gives their number; the rest is not kept in memory. `place` is the file's name in the
/// model. Errors about the whole file are reported there. Errors inside a text are reported at
/// their place in the text, with a note at `place`. Returns nothing when an error was reported.
std::optional<TableFile> readTableFile(const std::string &path, uint64_t maxEntries,
                                       Diagnostics &diagnostics, const SourcePlace &place);

} // namespace mpf
