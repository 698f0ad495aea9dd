#include "dsl/model/resolve/map_blocks.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace mpf {

namespace {

bool fillBlock(BuildContext &context, const ast::MapEntry &entry, const MapBlocks &blocks,
               std::vector<bool> &given) {
  if (entry.keys.size() > blocks.lengths.size()) {
    context.error(entry.range, "an entry has {} keys, {} {} of {} are left for them",
                  entry.keys.size(), blocks.lengths.size(), blocks.axes, blocks.owner);
    return false;
  }
  uint64_t offset = 0, size = given.size();
  for (size_t axis = 0; axis < entry.keys.size(); ++axis) {
    const std::optional<uint64_t> index = blocks.indexOf(entry.keys[axis], axis);
    if (!index)
      return false;
    size /= blocks.lengths[axis];
    offset += *index * size;
  }
  const auto first = given.begin() + static_cast<ptrdiff_t>(offset);
  const auto last = first + static_cast<ptrdiff_t>(size);
  if (const auto again = std::find(first, last, true); again != last) {
    context.error(entry.range, "the map of {} gives {} twice", blocks.owner,
                  blocks.entryText(static_cast<uint64_t>(again - given.begin())));
    return false;
  }
  std::fill(first, last, true);
  return blocks.fill(entry, offset, size);
}

} // namespace

bool fillMapBlocks(BuildContext &context, const ast::MapLiteral &map, const MapBlocks &blocks) {
  std::vector<bool> given(std::accumulate(blocks.lengths.begin(), blocks.lengths.end(), uint64_t{1},
                                          std::multiplies<>()),
                          false);
  const ast::MapEntry *rest = nullptr;
  bool isSound = true;
  for (const ast::MapEntry &entry : map.entries) {
    if (!entry.isDefault) {
      isSound &= fillBlock(context, entry, blocks, given);
      continue;
    }
    MPF_CHECK(rest == nullptr, "the parser left a second default");
    rest = &entry;
  }
  if (!isSound)
    return false;
  const auto missing = std::ranges::find(given, false);
  if (missing == given.end())
    return true;
  if (rest != nullptr)
    return blocks.fillRest(*rest, given);
  context.error(map.range, "the map of {} has no value for {} and no default", blocks.owner,
                blocks.entryText(static_cast<uint64_t>(missing - given.begin())));
  return false;
}

} // namespace mpf
