// Tables as text: cells between commas (.csv), or numbers between blanks (table_file.h).
#pragma once

#include "dsl/model/table_file.h"
#include "dsl/source/diagnostic.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace mpf {

/// The shape and numbers of the text (dsl/model/table_file.h). `commas`: cells are between commas.
/// More than `maxEntries` numbers are an error that says how many there are; no more are kept in
/// memory. Nothing when an error was reported.
std::optional<TableFile> readTextTable(std::shared_ptr<const SourceBuffer> text, bool commas,
                                       uint64_t maxEntries, Diagnostics &diagnostics);

} // namespace mpf
