#include "dsl/model/minimal_conflict.h"

#include <algorithm>
#include <numeric>

namespace mpf {

namespace {

using Items = std::vector<size_t>;

class QuickXplain {
public:
  explicit QuickXplain(const std::function<std::optional<bool>(std::span<const size_t>)> &holds)
      : holds_(holds) {}

  /// Returns the items of `candidates` that conflict together with `kept`. `isNew`: `kept` has
  /// grown since it was last known to hold.
  Items explain(const Items &kept, bool isNew, const Items &candidates) {
    if (isNew && !asksTrue(kept))
      return {};
    if (candidates.size() <= 1 || hasEnded_)
      return candidates;
    const auto middle = candidates.begin() + static_cast<std::ptrdiff_t>(candidates.size() / 2);
    const Items first(candidates.begin(), middle), second(middle, candidates.end());
    Items found = explain(both(kept, first), true, second);
    const Items rest = explain(both(kept, found), !found.empty(), first);
    found.insert(found.end(), rest.begin(), rest.end());
    return found;
  }

  bool hasEnded() const { return hasEnded_; }

private:
  /// Whether the items hold together; true once queries have ended.
  bool asksTrue(Items items) {
    if (hasEnded_)
      return true;
    std::ranges::sort(items);
    const std::optional<bool> answer = holds_(items);
    hasEnded_ = !answer;
    return answer.value_or(true);
  }

  static Items both(const Items &a, const Items &b) {
    Items all = a;
    all.insert(all.end(), b.begin(), b.end());
    return all;
  }

  const std::function<std::optional<bool>(std::span<const size_t>)> &holds_;
  bool hasEnded_ = false;
};

} // namespace

MinimalConflict
minimalConflict(size_t count,
                const std::function<std::optional<bool>(std::span<const size_t>)> &holds) {
  Items all(count);
  std::iota(all.begin(), all.end(), 0);
  QuickXplain search(holds);
  Items found = search.explain({}, true, all);
  std::ranges::sort(found);
  return {std::move(found), !search.hasEnded()};
}

} // namespace mpf
