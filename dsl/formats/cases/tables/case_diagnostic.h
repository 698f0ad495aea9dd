// Errors about a case, with its place in the list.
#pragma once

#include "dsl/source/diagnostic.h"
#include "dsl/support/cases/case_source.h"
#include "dsl/support/error.h"

#include <exception>
#include <string>

namespace mpf {

/// Makes an error about case `number` of `source`. Its place is the case's line and `field` in the
/// text (CaseSource::placeOf). If the list is no text, or its line is no longer known, the message
/// names the case: "rows.npy: row 5: ...".
Diagnostic describeCase(const CaseSource &source, uint64_t number, const CaseField &field,
                        const std::string &message);

/// Returns an Error with the diagnostic's message and place.
std::exception_ptr failureOf(ErrorKind kind, const Diagnostic &diagnostic);

} // namespace mpf
