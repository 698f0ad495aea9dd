#include "codegen/plan/order/search_components.h"

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

/// Gives rounds to the components until the limits are reached.
class ComponentSearch {
public:
  ComponentSearch(std::vector<OrderSearch> &components, const PlanOptions &options,
                  const SearchStop &stop)
      : options_(options), components_(components), stop_(stop) {
    for (OrderSearch &component : components)
      if (!component.finished())
        open_.push_back(&component);
  }

  /// The rounds made and whether they ended early; steps and cost are left alone.
  void run(SearchEffort &effort) {
    while (const std::optional<size_t> next = choose(effort.rounds)) {
      OrderSearch &component = *open_[*next];
      const uint64_t before = component.steps();
      if (stop_.now() || !component.round(options_.search.threads, stop_)) {
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
      steps_ += component.steps() - before;
      if (component.finished())
        open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(*next));
    }
  }

private:
  bool allFit() const {
    return std::all_of(components_.begin(), components_.end(),
                       [](const OrderSearch &component) { return component.fits(); });
  }

  /// One rule for all modes, so that counted rounds repeat the others: the component that is
  /// costliest for what was spent on it; tired components come after all others, spent ones last.
  struct Rank {
    bool unspent = false, fresh = false;
    double ratio = -1;
    friend auto operator<=>(const Rank &, const Rank &) = default;
  };
  static Rank rankOf(const OrderSearch &component) {
    const double cost = component.result().cheapest.cost;
    const double spent = kOperationsPerStep * static_cast<double>(component.steps());
    const bool gains = !component.fits() || component.rounds() < kFreeRounds ||
                       spent < kFreeShare * cost ||
                       component.costAfter(component.steps() / 2) - cost > spent / 2;
    const bool fresh = gains && component.vainRounds() < kMaxVainRounds + component.rounds() / 2;
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
  const std::vector<OrderSearch> &components_;
  const SearchStop &stop_;
  std::vector<OrderSearch *> open_;
  uint64_t steps_ = 0;
};

} // namespace

void searchComponents(std::vector<OrderSearch> &components, const PlanOptions &options,
                      const SearchStop &stop, SearchEffort &effort) {
  ComponentSearch(components, options, stop).run(effort);
}

} // namespace mpf
