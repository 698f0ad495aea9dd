#include "dsl/formats/cases/tables/case_diagnostic.h"

#include "dsl/source/text_error.h"

#include <memory>

namespace mpf {

Diagnostic describeCase(const CaseSource &source, uint64_t number, const CaseField &field,
                        const std::string &message) {
  const CasePlace place = source.placeOf(number, field);
  if (place.line == 0)
    return {Severity::Error, {}, fmt::format("{}: {}: {}", source.name(), place.what, message), {}};
  const auto buffer = std::make_shared<const SourceBuffer>(source.name(), place.text, place.line);
  return {Severity::Error, {buffer, {place.begin, place.end}}, message, {}};
}

std::exception_ptr failureOf(ErrorKind kind, const Diagnostic &diagnostic) {
  if (diagnostic.place.buffer)
    return std::make_exception_ptr(TextError(kind, diagnostic));
  return std::make_exception_ptr(Error(kind, diagnostic.message));
}

} // namespace mpf
