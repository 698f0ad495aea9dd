// Loads the text of a file or of the standard input into memory.
#pragma once

#include "dsl/source/source_buffer.h"

#include <memory>
#include <string>

namespace mpf {

/// The standard input, as a path on the command line and as a name in messages.
inline constexpr const char *kStdinPath = "-";
inline constexpr const char *kStdinName = "<stdin>";

/// Returns the text of the file `path`, or of the standard input if `path` is kStdinPath, unpacked
/// if it is compressed. Throws as readFile (file_input.h), and Error(MemoryBound) when parsing a
/// text of this format (model_formats.h) would take more memory than there is.
std::shared_ptr<const SourceBuffer> loadText(const std::string &path);

} // namespace mpf
