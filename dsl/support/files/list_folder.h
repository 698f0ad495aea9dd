// Lists the names in a folder.
#pragma once

#include <string>
#include <system_error>
#include <vector>

namespace mpf {

/// Returns the names in `folder`, in no order, without "." and "..". If some may be missing,
/// `problem` is set to the reason; otherwise it is not changed. A folder that does not exist has no
/// names.
///
/// Throws only std::bad_alloc. The iterators of std::filesystem would end the process then, because
/// they allocate in functions that are noexcept.
std::vector<std::string> namesIn(const std::string &folder, std::error_code &problem);

} // namespace mpf
