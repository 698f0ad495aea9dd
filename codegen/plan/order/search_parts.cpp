#include "codegen/plan/order/search_parts.h"

#include <algorithm>
#include <compare>
#include <optional>

namespace mpf {

namespace {

/// One graph step (8 ns on one core) takes as long as this many elementary operations of a program:
/// dense buckets run at 1 to 70 Gop/s a core, those that dominate at some 3.
constexpr double kOperationsPerStep = 24;
/// The search may take this share of the predicted run.
constexpr double kSearchShare = 0.5;
/// So much of the predicted run it may always take; once an order fits the memory, more only while
/// its later half still saves more of the run than it takes itself.
constexpr double kFreeShare = 0.03;
/// The opening strategies are always tried, and every lane begun.
constexpr uint64_t kFreeRounds = 4;
/// With a time to fill, a search still ends when it took so many times the predicted run.
constexpr double kTimedShare = 100;
/// Without one it ends after this many rounds, and half of all before, that brought nothing.
constexpr uint64_t kMaxVainRounds = 64;

/// Gives rounds to the parts until the limits are reached.
class SearchOfParts {
public:
  SearchOfParts(std::vector<OrderSearch> &parts, const PlanOptions &options, const SearchStop &stop)
      : options_(options), parts_(parts), stop_(stop) {
    for (OrderSearch &part : parts)
      if (!part.finished())
        open_.push_back(&part);
  }

  /// The rounds made and whether they ended early; steps and cost are left alone.
  void run(SearchEffort &effort) {
    while (const std::optional<size_t> next = choose(effort.rounds)) {
      OrderSearch &part = *open_[*next];
      const uint64_t before = part.steps();
      if (stop_.now() || !part.round(options_.search.threads, stop_)) {
        effort.stopped = true;
        return;
      }
      // What fits no memory will be sliced, which takes the rest of the time.
      if (stop_.halfOver() && !allFit()) {
        effort.stopped = true;
        ++effort.rounds;
        return;
      }
      ++effort.rounds;
      steps_ += part.steps() - before;
      if (part.finished())
        open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(*next));
    }
  }

private:
  bool allFit() const {
    return std::all_of(parts_.begin(), parts_.end(),
                       [](const OrderSearch &part) { return part.fits(); });
  }

  /// One rule for all modes, so that counted rounds repeat the others: the part that is costliest
  /// for what was spent on it; tired parts come after all others, spent ones last.
  struct Rank {
    bool unspent = false, fresh = false;
    double ratio = -1;
    friend auto operator<=>(const Rank &, const Rank &) = default;
  };
  static Rank rankOf(const OrderSearch &part) {
    const double cost = part.result().cheapest.cost;
    const double spent = kOperationsPerStep * static_cast<double>(part.steps());
    const bool gains = !part.fits() || part.rounds() < kFreeRounds || spent < kFreeShare * cost ||
                       part.costAfter(part.steps() / 2) - cost > spent / 2;
    const bool fresh = gains && part.vainRounds() < kMaxVainRounds + part.rounds() / 2;
    return {cost / spent > 1 / kTimedShare, fresh, cost / spent};
  }

  /// None when the limits are reached.
  std::optional<size_t> choose(uint64_t rounds) const {
    const SearchLimits &limits = options_.search;
    if (limits.rounds ? rounds >= *limits.rounds
                      : !limits.seconds && steps_ >= options_.searchSteps)
      return std::nullopt;
    std::optional<size_t> first;
    Rank highest;
    for (size_t i = 0; i < open_.size(); ++i)
      if (const Rank rank = rankOf(*open_[i]); !first || rank > highest) {
        highest = rank;
        first = i;
      }
    const bool pays = limits.seconds
                          ? highest.unspent
                          : highest.unspent && highest.fresh && highest.ratio > 1 / kSearchShare;
    return limits.rounds || pays ? first : std::nullopt;
  }

  const PlanOptions &options_;
  const std::vector<OrderSearch> &parts_;
  const SearchStop &stop_;
  std::vector<OrderSearch *> open_;
  uint64_t steps_ = 0;
};

} // namespace

void searchParts(std::vector<OrderSearch> &parts, const PlanOptions &options,
                 const SearchStop &stop, SearchEffort &effort) {
  SearchOfParts(parts, options, stop).run(effort);
}

} // namespace mpf
