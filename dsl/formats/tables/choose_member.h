// Which array of a file a declaration means.
#pragma once

#include "dsl/model/array_file.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

enum class MemberKind { Arrays, Columns };

/// The meaning of a first line with words in a .csv file, for hints.
inline constexpr std::string_view kHeaderHint =
    "the first line has a word, so it names the columns";

/// Returns the place of the wanted array among `members`: request.member, else request.name, else
/// the only one. Returns nothing after reporting, with a list of the members.
std::optional<size_t> chooseMember(const ArrayRequest &request,
                                   const std::vector<std::string> &members, MemberKind kind,
                                   Diagnostics &diagnostics, const SourcePlace &place);

/// Returns false after reporting that the request names a member of a file that has none.
bool checkNoMember(const ArrayRequest &request, Diagnostics &diagnostics, const SourcePlace &place);

} // namespace mpf
