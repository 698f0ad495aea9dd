// The files that a command writes: what it reads must not be among them.
#pragma once

#include "tools/mpfc/options/options.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mpf::driver {

/// Option and path of each, without the standard output.
std::vector<std::pair<std::string_view, std::string>> writtenFiles(const Options &options);

/// Both are, or would be, one file, by whatever links and spellings. Devices and pipes may be
/// written to while they are read.
bool isSameFile(const std::string &a, const std::string &b);

/// Throws Error(Usage) where `path`, a file to be read that messages call `what`, is one of them:
/// its contents would be lost. Empty, and "-": no file.
void requireNotWritten(const Options &options, const std::string &path, std::string_view what);

} // namespace mpf::driver
