#include "dsl/source/text_error.h"

namespace mpf {

namespace {

std::string withoutLineEnds(std::string text) {
  while (text.ends_with('\n'))
    text.pop_back();
  return text;
}

} // namespace

std::string messageOf(const Diagnostics &diagnostics) {
  return withoutLineEnds(renderDiagnostics(diagnostics));
}

TextError::TextError(ErrorKind kind, const Diagnostic &diagnostic)
    : Error(kind, withoutLineEnds(renderDiagnostic(diagnostic))) {}

void failAtPlace(ErrorKind kind, const SourcePlace &place, std::string message) {
  if (!place.buffer)
    throw Error(kind, message);
  throw TextError(kind, {Severity::Error, place, std::move(message), {}});
}

} // namespace mpf
