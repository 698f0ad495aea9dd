// The text that an editor shows about the name or the word under the cursor.
#pragma once

#include "dsl/support/json_text.h"
#include "tools/mpfc/lsp/session.h"

#include <string>

namespace mpf::lsp {

/// Returns null where nothing is known.
JsonText hover(Session &session, const Document &document, Position position);

/// Returns one line about a name in the words of the language, with the sizes, labels and values
/// that the checker found: "var x[3] : { no, yes }".
std::string signatureOf(const Analysis &analysis, const NameEntry &entry);

} // namespace mpf::lsp
