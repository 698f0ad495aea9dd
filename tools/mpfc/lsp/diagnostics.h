// The messages of the checker in the form that editors show, and what their hints propose.
#pragma once

#include "dsl/support/json_text.h"
#include "tools/mpfc/lsp/session.h"

namespace mpf::lsp {

/// Returns the parameters of textDocument/publishDiagnostics. If another open text includes this
/// one, its messages are those of that text's check: alone, a part of a model lacks names.
JsonText diagnosticsOf(Session &session, const Document &document);

/// Returns the code actions for the "did you mean" hints of errors that `range` touches.
JsonText codeActions(Session &session, const Document &document, PositionRange range);

} // namespace mpf::lsp
