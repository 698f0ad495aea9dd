// Writes texts as files: results, bundles, the cache (output_file.h).
#pragma once

#include "dsl/support/files/output_file.h"

#include <string>
#include <string_view>

namespace mpf {

/// Writes `contents` as one OutputFile. A path holds its old contents until the new contents are
/// complete. After a failure the old contents and no other files are left. Throws as OutputFile
/// does. Thread-safe.
void writeFile(const std::string &path, std::string_view contents,
               const WriteOptions &options = {});

} // namespace mpf
