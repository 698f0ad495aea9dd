#include "dsl/support/query_traits.h"

#include "dsl/support/enumerators.h"

#include <algorithm>

namespace mpf {

namespace {

constexpr size_t kLast = kQueryTraits.size() - 1;
static_assert(isEnumerator<static_cast<QueryKind>(kLast)>(), "a row without a kind of query");
static_assert(!isEnumerator<static_cast<QueryKind>(kLast + 1)>(), "a kind of query without a row");

/// Whether row i is at the place where traitsOf() looks for it, and consistent.
constexpr bool isSound(size_t i) {
  const QueryTraits &row = kQueryTraits[i];
  const bool isSimplified = row.restored != Restored::Nothing;
  return row.kind == static_cast<QueryKind>(i) && !row.name.empty() &&
         (row.isPlanned || !isSimplified) && row.decoding.has_value() != row.assignment.empty() &&
         (row.restored == Restored::Assignment) <= row.decoding.has_value() &&
         (row.outputs == QueryOutputs::Posteriors || row.outputs == QueryOutputs::Joints) ==
             row.goesDownward &&
         row.goesDownward <= row.isQuotient;
}

constexpr bool allAreSound() {
  for (size_t i = 0; i < kQueryTraits.size(); ++i) {
    if (!isSound(i))
      return false;
    for (size_t j = 0; j < i; ++j)
      if (kQueryTraits[i].name == kQueryTraits[j].name ||
          (kQueryTraits[i].isShortForm() && kQueryTraits[i].keyword == kQueryTraits[j].keyword))
        return false;
  }
  return true;
}
static_assert(allAreSound());

/// Returns the first kind with this property.
template <class Property> std::optional<QueryKind> kindThat(Property has) {
  const auto row = std::find_if(kQueryTraits.begin(), kQueryTraits.end(), has);
  return row == kQueryTraits.end() ? std::nullopt : std::optional(row->kind);
}

} // namespace

std::optional<QueryKind> queryKindNamed(std::string_view name) {
  return kindThat([name](const QueryTraits &row) { return row.name == name; });
}

std::optional<QueryKind> queryKindOfKeyword(std::string_view keyword) {
  return kindThat(
      [keyword](const QueryTraits &row) { return row.isShortForm() && row.keyword == keyword; });
}

std::optional<QueryKind> queryKindOfTask(UaiTask task) {
  return kindThat([task](const QueryTraits &row) { return row.isShortForm() && row.uai == task; });
}

} // namespace mpf
