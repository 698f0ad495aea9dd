// Names of queries: "P(a, b | c = yes)". Posteriors of different variables differ in their names.
#pragma once

#include <string>
#include <string_view>

namespace mpf {

/// Return a variable or a label as the name of a query has it: in backquotes if its signs could be
/// those of the list.
std::string nameInQuery(std::string_view variable);
std::string labelInQuery(std::string_view label);

} // namespace mpf
