// A host program binds `input` factors; the command line has no values for them.
#pragma once

#include <string>

namespace mpf {

/// Throws Error(BadInput) about a factor that a query needs and that has no values.
[[noreturn]] void failWithoutValues(const std::string &factor, const std::string &query);

} // namespace mpf
