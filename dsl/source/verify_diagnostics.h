// Tests diagnostics: comments in the tested file declare the expected messages and their places.
//
//   var x : 0            # expected-error {{extent of x is 0}}
//   # expected-error@+1 {{unknown variable 'rian'}}
//   observe rian = yes
//   # expected-note@-1 {{did you mean 'rain'}}
//
// Kinds: error, warning, performance, note. `@+N` and `@-N` count lines from the comment; `@*`
// means any place, or none. The text in braces must occur in the message or in its hint. A file
// without such comments must contain `# expected-no-diagnostics`, so that none is forgotten.
#pragma once

#include "dsl/source/diagnostic.h"

#include <memory>
#include <string>

namespace mpf {

/// Compares the diagnostics with the comments in `buffer`: each comment must match exactly one
/// diagnostic, and each diagnostic one comment. Returns the differences, one line each, in the
/// order of the file; empty when the test passes. Comments in included files are not read: a
/// diagnostic in an included file needs an `@*` comment in `buffer`.
std::string verifyDiagnostics(const SourceBuffer &buffer, const Diagnostics &diagnostics);

} // namespace mpf
