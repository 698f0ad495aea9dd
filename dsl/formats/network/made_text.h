// Texts in the .mpf language that readers of other formats make of their files.
#pragma once

#include "dsl/source/source_buffer.h"

#include <memory>
#include <string>

namespace mpf {

/// Returns `text`, made of the file `file`. Messages that point into it call it `name`. Throws
/// Error(MemoryBound) when less memory is left than parsing it may take.
std::shared_ptr<const SourceBuffer> madeText(const std::string &file, std::string name,
                                             std::string text);

} // namespace mpf
