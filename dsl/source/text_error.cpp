#include "dsl/source/text_error.h"

namespace mpf {

namespace {

std::string rendered(const Diagnostic &diagnostic) {
  std::string text = renderDiagnostic(diagnostic);
  while (text.ends_with('\n'))
    text.pop_back();
  return text;
}

} // namespace

TextError::TextError(ErrorKind kind, const Diagnostic &diagnostic)
    : Error(kind, rendered(diagnostic)) {}

void failAtPlace(ErrorKind kind, const SourcePlace &place, std::string message) {
  if (!place.buffer)
    throw Error(kind, message);
  throw TextError(kind, {Severity::Error, place, std::move(message), {}});
}

} // namespace mpf
