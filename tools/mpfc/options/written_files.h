// The files that a command writes: files that it reads must not be among them.
#pragma once

#include "tools/mpfc/options/options.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mpf::driver {

/// Returns the option and path of each file that the command writes, without the standard output.
std::vector<std::pair<std::string_view, std::string>> writtenFiles(const Options &options);

/// Whether both paths lead, or would lead, to one file, through any links and spellings. False for
/// devices and pipes: they may be written to while they are read.
bool isSameFile(const std::string &a, const std::string &b);

/// Throws Error(Usage) if the command writes the file `path`, which it is to read: its contents
/// would be lost. Messages call the file `what`. An empty path, and "-", is no file.
void requireNotWritten(const Options &options, const std::string &path, std::string_view what);

} // namespace mpf::driver
