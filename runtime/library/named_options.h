// The options of host programs by name and text, for languages without structs of C++. A name that
// mpfc has too means the same there.
#pragma once

#include "runtime/api/cases.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace mpf {

/// The options of all calls. A call reads the member that it takes.
struct HostOptions {
  ReadOptions reading;
  CompileOptions compiling;
  CaseOptions cases;
  SessionOptions session;
  ExpectedCases expected;
  LoadOptions loading;
};

/// An option: its name, and a sentence about its value.
struct NamedOption {
  const char *name = nullptr;
  const char *meaning = nullptr;
};

/// Sets an option from a text. Options that hold a list take one item a call. Throws Error(Usage)
/// for names that do not exist, with the nearest one, and for texts that are no value.
void setOption(HostOptions &options, std::string_view name, const std::string &text);

/// Returns the number of options, and one of them. Thread-safe.
size_t namedOptionCount();
NamedOption namedOption(size_t index);

} // namespace mpf
