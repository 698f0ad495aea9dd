// An Error about one place of a text, which its message shows.
//
// Checks after reading throw it when they cannot go on, for example a planner that refuses a query.
// Readers can go on after an error and report to Diagnostics instead.
#pragma once

#include "dsl/source/diagnostic.h"
#include "dsl/support/error.h"

namespace mpf {

/// Returns all diagnostics as the message of one Error, rendered without the last line end.
std::string messageOf(const Diagnostics &diagnostics);

/// what() is the rendered diagnostic without the last line end: "file:3:7: error: ...", the source
/// line, and a line with a caret.
class TextError : public Error {
public:
  TextError(ErrorKind kind, const Diagnostic &diagnostic);
};

/// Throws TextError; if `place` has no text, an Error with `message` alone.
[[noreturn]] void failAtPlace(ErrorKind kind, const SourcePlace &place, std::string message);

template <class... Args>
[[noreturn]] void failAt(ErrorKind kind, const SourcePlace &place,
                         fmt::format_string<Args...> format, Args &&...args) {
  failAtPlace(kind, place, fmt::format(format, std::forward<Args>(args)...));
}

} // namespace mpf
