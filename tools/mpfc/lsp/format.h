// Formatting by the formatter of `mpfc fmt`.
#pragma once

#include "dsl/support/json_text.h"
#include "tools/mpfc/lsp/session.h"

namespace mpf::lsp {

/// Returns the edits that make the text canonical: none, or one over the lines that change. Returns
/// null if the text has syntax errors, whose messages the editor shows already.
JsonText format(Session &session, const Document &document);

} // namespace mpf::lsp
