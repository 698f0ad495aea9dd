#include "dsl/formats/tables/choose_member.h"

#include "dsl/source/suggest.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>

namespace mpf {

std::optional<size_t> chooseMember(const ArrayRequest &request,
                                   const std::vector<std::string> &members, MemberKind kind,
                                   Diagnostics &diagnostics, const SourcePlace &place) {
  const std::string &wanted = request.member.empty() ? request.name : request.member;
  if (wanted.empty() && members.size() == 1)
    return 0;
  const auto found = std::ranges::find(members, wanted);
  if (found != members.end() && !wanted.empty())
    return static_cast<size_t>(found - members.begin());
  const bool isHeader = kind == MemberKind::Columns;
  const char *const word = isHeader ? "columns" : "arrays";
  const std::string there =
      members.empty() ? fmt::format("{} has no {}", request.path, word)
                      : fmt::format("{} has the {} {}", request.path, word, excerptList(members));
  Suggestion suggestion(wanted);
  suggestion.offerAll(members);
  const std::string &likely =
      suggestion.best().empty() && !members.empty() ? members.front() : suggestion.best();
  std::string hint =
      likely.empty() ? "" : fmt::format("write file(\"...\", {})", excerpt(spellString(likely)));
  if (isHeader && request.member.empty() && suggestion.best().empty())
    hint =
        request.axes.value_or(0) > 1
            ? fmt::format("{}; leave it out of a matrix, or {} for one column", kHeaderHint, hint)
            : fmt::format("{}; {} for that column, or a .txt file of labels alone", kHeaderHint,
                          hint);
  diagnostics.report(
      {Severity::Error, place,
       wanted.empty() ? there : fmt::format("{}, none is called '{}'", there, excerpt(wanted)),
       std::move(hint)});
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
