#include "dsl/formats/tables/choose_member.h"

#include "dsl/source/suggest.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>

namespace mpf {

std::optional<size_t> chooseMember(const ArrayRequest &request,
                                   const std::vector<std::string> &members, const char *kind,
                                   Diagnostics &diagnostics, const SourcePlace &place) {
  const std::string &wanted = request.member.empty() ? request.name : request.member;
  if (wanted.empty() && members.size() == 1)
    return 0;
  const auto found = std::ranges::find(members, wanted);
  if (found != members.end() && !wanted.empty())
    return static_cast<size_t>(found - members.begin());
  const std::string there =
      members.empty() ? fmt::format("{} has no {}", request.path, kind)
                      : fmt::format("{} has the {} {}", request.path, kind, excerptList(members));
  Suggestion suggestion(wanted);
  suggestion.offerAll(members);
  const std::string &likely =
      suggestion.best().empty() && !members.empty() ? members.front() : suggestion.best();
  diagnostics.report(
      {Severity::Error, place,
       wanted.empty() ? there : fmt::format("{}, none is called '{}'", there, excerpt(wanted)),
       likely.empty() ? "" : fmt::format("write file(\"...\", {})", excerpt(spellString(likely)))});
  return std::nullopt;
}

bool checkNoMember(const ArrayRequest &request, Diagnostics &diagnostics,
                   const SourcePlace &place) {
  if (request.member.empty())
    return true;
  diagnostics.error(place, "{} has one array without a name, and none called '{}'", request.path,
                    excerpt(request.member));
  return false;
}

} // namespace mpf
