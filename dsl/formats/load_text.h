// The text of a file, or of the standard input, in memory.
#pragma once

#include "dsl/source/source_buffer.h"

#include <memory>
#include <string>

namespace mpf {

/// For the standard input, as a path and as a name in messages.
inline constexpr const char *kStdinPath = "-";
inline constexpr const char *kStdinName = "<stdin>";

/// The text of `path`, unpacked; of the standard input. Throws Error(BadInput) when it cannot be
/// read, or when there is no memory to parse what it is by its ending (model_formats.h).
std::shared_ptr<const SourceBuffer> loadText(const std::string &path);

} // namespace mpf
