// Tables as text: cells between commas, or numbers between blanks (table_file.h says which is
// which).
#pragma once

#include "dsl/model/table_file.h"
#include "dsl/source/diagnostic.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace mpf {

/// The numbers of the whole text; `commas`: .csv. At most `maxEntries` are kept in memory; more are
/// an error that says how many there are. Nothing when an error was reported.
std::optional<TableFile> readTextTable(std::shared_ptr<const SourceBuffer> text, bool commas,
                                       uint64_t maxEntries, Diagnostics &diagnostics);

} // namespace mpf
