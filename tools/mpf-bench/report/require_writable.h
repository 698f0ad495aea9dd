// Says before hours of measuring that their report cannot be written.
#pragma once

#include "dsl/support/files/output_file.h"

#include <filesystem>
#include <initializer_list>
#include <string>
#include <system_error>

namespace mpf::bench {

/// Throws Error(BadInput), as writeFile would, for a file that cannot be written. Nothing is left,
/// and what is there stays. Empty paths are no files; pipes and devices are not opened.
inline void requireWritable(std::initializer_list<std::string> paths) {
  for (const std::string &path : paths) {
    std::error_code ignored;
    if (!path.empty() && !std::filesystem::is_other(path, ignored))
      OutputFile probe(path, {.expendable = true});
  }
}

} // namespace mpf::bench
