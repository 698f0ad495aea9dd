// Completions: names, labels and words that can stand at a place.
#pragma once

#include "dsl/support/json_text.h"
#include "tools/mpfc/lsp/session.h"

namespace mpf::lsp {

/// Returns a CompletionList. Labels alone are offered where a state of a known variable stands.
/// The declaration that is being typed need not be complete.
JsonText complete(Session &session, const Document &document, Position position);

} // namespace mpf::lsp
