// Requests about names: where they are declared and used, and what they are.
#pragma once

#include "dsl/support/json_text.h"
#include "tools/mpfc/lsp/session.h"

namespace mpf::lsp {

JsonText definition(Session &session, const Document &document, Position position);
JsonText references(Session &session, const Document &document, Position position,
                    bool withDeclaration);
/// The uses in this text alone.
JsonText highlights(Session &session, const Document &document, Position position);
JsonText symbols(Session &session, const Document &document);
JsonText links(Session &session, const Document &document);

/// A use of a name in one of the open models.
struct PlacedUse {
  std::shared_ptr<const SourceBuffer> source;
  NameUse use;
};
/// Returns the uses of the name in all open models that have it, by path and place.
std::vector<PlacedUse> usesOf(Session &session, const FoundName &name);

/// The kinds of semanticTokens/full, in the order of their numbers.
JsonText tokenLegend();
JsonText tokens(Session &session, const Document &document);

} // namespace mpf::lsp
