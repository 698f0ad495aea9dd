#include "codegen/plan/order/search_components.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <compare>
#include <optional>

namespace mpf {

namespace {

/// One graph step (8 ns on one core) takes as long as this many elementary operations of a program:
/// dense buckets run at 1 to 70 Gop/s a core, those that dominate at some 3.
constexpr double kOperationsPerStep = 24;
/// The search may take this share of the predicted run time.
constexpr double kSearchShare = 0.5;
/// So much of it need not save anything. Once an order fits the memory, the search takes more only
/// while its later half saves more of the run time than half of what the search has taken.
constexpr double kFreeShare = 0.03;
/// Nor need so many rounds: the opening strategies are tried, and every annealing thread begins.
constexpr uint64_t kFreeRounds = 4;
/// With SearchLimits::seconds, a search still ends when it took so many times the predicted run.
constexpr double kTimedShare = 100;
/// Without seconds it ends after so many rounds, plus half of all rounds, without a cheaper order.
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

  /// Adds the rounds, and sets whether they were stopped; leaves steps and cost alone.
  void run(SearchEffort &effort) {
    while (const std::optional<size_t> next = choose(effort.rounds)) {
      OrderSearch &component = *open_[*next];
      const uint64_t before = component.steps();
      if (stop_.now() || !component.round(options_.search.threads, stop_)) {
        effort.stopped = true;
        return;
      }
      // An order that does not fit the memory will be sliced, which takes the rest of the time.
      if (stop_.halfOver() && !allFit()) {
        effort.stopped = true;
        ++effort.rounds;
        return;
      }
      ++effort.rounds;
      MPF_CHECK(component.steps() >= before, "a round leaves {} steps of {}", component.steps(),
                before);
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

  /// One rule for all modes, so that counted rounds repeat the others. The ratio is cost / search
  /// spent; components without gains come after all others, those spent on too much come last.
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

  /// The place in open_ of the next component; nothing when the limits are reached.
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
