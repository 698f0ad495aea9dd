#include "dsl/model/resolve/build_context.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace mpf {

const LoopIndex *findLoopIndex(const BuildContext &context, const std::string &name) {
  const auto inwards = context.loop | std::views::reverse;
  const auto found = std::ranges::find(inwards, name, &LoopIndex::name);
  return found == inwards.end() ? nullptr : &*found;
}

void reportUnknown(BuildContext &context, SourceRange range, std::string message,
                   std::string hint) {
  if (!context.incomplete)
    context.errorWithHint(range, std::move(message), std::move(hint));
}

} // namespace mpf
