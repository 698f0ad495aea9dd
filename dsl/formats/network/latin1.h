// Texts of formats whose programs write ISO-8859-1.
#pragma once

#include "dsl/source/diagnostic.h"

#include <memory>

namespace mpf {

/// Returns `buffer` if it is UTF-8. Otherwise returns its text, read as ISO-8859-1, in UTF-8, and
/// warns of that at the first byte that is no UTF-8. Returns null after reporting such a byte in a
/// text with the mark of UTF-8 at its start.
std::shared_ptr<const SourceBuffer> inUtf8(std::shared_ptr<const SourceBuffer> buffer,
                                           Diagnostics &diagnostics);

} // namespace mpf
