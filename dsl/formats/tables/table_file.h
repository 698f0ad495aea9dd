// Numbers for one table from a file of its own: `factor h(w, y) = file("h.npy")`.
//
//   *.npy       NumPy array (npy_file.h)
//   *.csv       cells between commas, one row per line, every row as long as the first
//   any other   numbers between blanks; '#' starts a comment (numpy.savetxt writes such files);
//               text_table.h reads both
// .gz, .xz and .zst behind the ending are unpacked.
#pragma once

#include "dsl/model/table_file.h"
#include "dsl/source/diagnostic.h"

#include <cstdint>
#include <optional>
#include <string>

namespace mpf {

/// Reads `path` (as given: the caller resolves it against the model's folder). At most `maxEntries`
/// numbers are kept in memory; more are an error that says how many there are. `place` is where the
/// model names the file: problems of the whole file point there, problems inside a text point into
/// the text, with a note at `place`. Nothing when an error was reported.
std::optional<TableFile> readTableFile(const std::string &path, uint64_t maxEntries,
                                       Diagnostics &diagnostics, const SourcePlace &place);

} // namespace mpf
