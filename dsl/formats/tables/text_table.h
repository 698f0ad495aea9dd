// Tables as text: cells between commas (.csv), or numbers between blanks (table_file.h).
#pragma once

#include "dsl/model/table_file.h"
#include "dsl/source/diagnostic.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace mpf {

/// Returns the shape and numbers of the text (dsl/model/table_file.h). `commas`: commas separate
/// cells. A text of more than `maxEntries` numbers is an error that gives their number; the rest is
/// not kept in memory. Returns nothing when an error was reported.
std::optional<TableFile> readTextTable(std::shared_ptr<const SourceBuffer> text, bool commas,
                                       uint64_t maxEntries, Diagnostics &diagnostics);

} // namespace mpf
