// Which array of a file a declaration means.
#pragma once

#include "dsl/model/array_file.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// Returns the place of the wanted array among `members`: request.member, else request.name, else
/// the only one. Returns nothing after reporting, with a list of the members. `kind`: "arrays",
/// "columns".
std::optional<size_t> chooseMember(const ArrayRequest &request,
                                   const std::vector<std::string> &members, const char *kind,
                                   Diagnostics &diagnostics, const SourcePlace &place);

/// Returns false after reporting that the request names a member of a file that has none.
bool checkNoMember(const ArrayRequest &request, Diagnostics &diagnostics, const SourcePlace &place);

} // namespace mpf
