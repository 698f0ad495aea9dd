// Checks before hours of measuring that the report can be written.
#pragma once

#include "dsl/support/files/output_file.h"

#include <filesystem>
#include <initializer_list>
#include <string>
#include <system_error>

namespace mpf::bench {

/// Throws Error(BadInput), like writeFile, for a file that cannot be written. Creates no file, and
/// keeps existing ones. Empty paths are ignored; pipes and devices are not opened.
inline void requireWritable(std::initializer_list<std::string> paths) {
  for (const std::string &path : paths) {
    std::error_code ignored;
    if (!path.empty() && !std::filesystem::is_other(path, ignored))
      OutputFile probe(path, {.expendable = true});
  }
}

} // namespace mpf::bench
