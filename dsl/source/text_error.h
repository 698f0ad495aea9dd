// An action that ends because of something at one place of a text: an Error that shows the place.
//
// For checks after reading (a planner that refuses a query) that find one problem and cannot go on.
// Readers, which can, report to Diagnostics instead.
#pragma once

#include "dsl/source/diagnostic.h"
#include "dsl/support/error.h"

namespace mpf {

/// what() is the rendered diagnostic without the last line end: "file:3:7: error: ...", line,
/// caret.
class TextError : public Error {
public:
  TextError(ErrorKind kind, const Diagnostic &diagnostic);
};

/// Throws TextError, or a plain Error with `message` when no text is behind the place.
[[noreturn]] void failAtPlace(ErrorKind kind, const SourcePlace &place, std::string message);

template <class... Args>
[[noreturn]] void failAt(ErrorKind kind, const SourcePlace &place,
                         fmt::format_string<Args...> format, Args &&...args) {
  failAtPlace(kind, place, fmt::format(format, std::forward<Args>(args)...));
}

} // namespace mpf
