// What is wrong with a case, said with its place in the list.
#pragma once

#include "dsl/source/diagnostic.h"
#include "dsl/support/cases/case_source.h"
#include "dsl/support/error.h"

#include <exception>
#include <string>

namespace mpf {

/// An error about case `number`, which `source` gave (CaseSource::placeOf): at its line of a text,
/// and there at `field`; of a list that is no text, or a line that is not known any more, named
/// before the message: "rows.npy: row 5: ...".
Diagnostic describeCase(const CaseSource &source, uint64_t number, const CaseField &field,
                        const std::string &message);

/// The Error that says so.
std::exception_ptr failureOf(ErrorKind kind, const Diagnostic &diagnostic);

} // namespace mpf
