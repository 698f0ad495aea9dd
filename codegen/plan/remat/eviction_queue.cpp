#include "codegen/plan/remat/eviction_queue.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>

namespace mpf {

namespace {
constexpr size_t kMostClassesBelow = 3;
} // namespace

void EvictionQueue::put(uint32_t place, uint64_t bytes, size_t nextUse) {
  const Key key{static_cast<size_t>(std::bit_width(bytes)),
                std::numeric_limits<size_t>::max() - nextUse};
  if (place >= keys_.size())
    keys_.resize(place + 1);
  MPF_CHECK(key.sizeClass < bySize_.size(), "{} bytes are beyond {} classes", bytes,
            bySize_.size());
  const Key before = keys_[place];
  if (before.sizeClass == key.sizeClass && before.reversedUse == key.reversedUse)
    return;
  erase(place);
  keys_[place] = key;
  if (bytes > 0)
    bySize_[key.sizeClass].emplace(key.reversedUse, place);
}

void EvictionQueue::erase(uint32_t place) {
  MPF_CHECK(place < keys_.size(), "place {} of {}", place, keys_.size());
  const Key key = std::exchange(keys_[place], {});
  if (key.sizeClass > 0)
    bySize_[key.sizeClass].erase({key.reversedUse, place});
}

std::vector<uint32_t> EvictionQueue::latest(size_t most) const {
  size_t top = bySize_.size() - 1;
  while (top > 0 && bySize_[top].empty())
    --top;
  std::vector<std::pair<size_t, uint32_t>> found;
  for (size_t below = 0; below <= kMostClassesBelow && below < top; ++below) {
    const Ordered &places = bySize_[top - below];
    const auto count = static_cast<ptrdiff_t>(std::min(places.size(), most));
    found.insert(found.end(), places.begin(), std::next(places.begin(), count));
  }
  std::sort(found.begin(), found.end());
  std::vector<uint32_t> places;
  for (size_t i = 0; i < found.size() && i < most; ++i)
    places.push_back(found[i].second);
  return places;
}

} // namespace mpf
