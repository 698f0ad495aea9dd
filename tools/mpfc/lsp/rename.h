// Renaming: all texts of the open models that use the name, or a reason why not.
#pragma once

#include "dsl/support/json_text.h"
#include "tools/mpfc/lsp/session.h"

#include <string>

namespace mpf::lsp {

/// Returns the range of the name and its text; null where nothing can be renamed.
JsonText prepareRename(Session &session, const Document &document, Position position);

/// Returns a WorkspaceEdit. The changed texts are checked before: they have no new errors, and
/// exactly the changed places mean the renamed thing. Throws Refusal otherwise.
JsonText rename(Session &session, const Document &document, Position position,
                const std::string &newName);

} // namespace mpf::lsp
