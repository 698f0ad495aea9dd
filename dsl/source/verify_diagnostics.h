// Tests of diagnostics: comments in the tested file say what must be reported, and where.
//
//   var x : 0            # expected-error {{extent of x is 0}}
//   # expected-error@+1 {{unknown variable 'rian'}}
//   observe rian = yes
//   # expected-note@-1 {{did you mean 'rain'}}
//
// Kinds: error, warning, performance, note. `@+N`, `@-N` count lines from the comment, `@*` is any
// place (and diagnostics without one). The text is part of the message or of its hint. A file
// without any such comment must say `# expected-no-diagnostics`, so that none is forgotten.
#pragma once

#include "dsl/source/diagnostic.h"

#include <memory>
#include <string>

namespace mpf {

/// Compares what was reported with the comments in `buffer`. Each comment stands for exactly one
/// diagnostic, each diagnostic needs its comment. Returns the differences, one line each, in the
/// order of the file; empty when the test passes. Included files carry no expectations: what is
/// reported there needs an `@*` comment here.
std::string verifyDiagnostics(const SourceBuffer &buffer, const Diagnostics &diagnostics);

} // namespace mpf
