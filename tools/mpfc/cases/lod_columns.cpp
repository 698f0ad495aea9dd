#include "tools/mpfc/cases/lod_columns.h"

#include <algorithm>
#include <fmt/core.h>

namespace mpf::driver {

void addLodColumns(const std::vector<Query> &queries, const std::vector<LodReference> &references,
                   std::vector<AnswerGroup> &columns) {
  std::vector<AnswerGroup> lods;
  for (const AnswerGroup &group : columns) {
    const bool isNumber = group.names.size() == 1 && (group.content == AnswerContent::Entries ||
                                                      group.content == AnswerContent::Logarithm);
    if (!isNumber)
      continue;
    const auto found =
        std::ranges::find(references, queries[group.query].name, &LodReference::query);
    if (found == references.end())
      continue;
    AnswerGroup &lod = lods.emplace_back(group);
    lod.content = AnswerContent::Lod;
    lod.lnReference = found->ln;
    lod.names = {fmt::format("lod({})", found->query)};
  }
  columns.insert(columns.end(), lods.begin(), lods.end());
}

} // namespace mpf::driver
