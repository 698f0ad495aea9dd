// The names in a folder.
#pragma once

#include <string>
#include <system_error>
#include <vector>

namespace mpf {

/// In no order, without "." and "..". `problem`: why some may be missing, else left alone; a folder
/// that is not there has no names. Throws only for lack of memory, where the iterators of
/// std::filesystem end the process: what they call is noexcept, and allocates.
std::vector<std::string> namesIn(const std::string &folder, std::error_code &problem);

} // namespace mpf
