// Loads the text of a file or of the standard input into memory.
#pragma once

#include "dsl/source/source_buffer.h"
#include "dsl/support/files/file_input.h"

#include <memory>
#include <string>

namespace mpf {

/// Returns the text of the file `path`, or of the standard input if `path` is kStdinPath, unpacked
/// if it is compressed. Throws as readFile (file_input.h), and Error(MemoryBound) when parsing a
/// text of this format (model_formats.h) would take more memory than there is.
std::shared_ptr<const SourceBuffer> loadText(const std::string &path);

} // namespace mpf
