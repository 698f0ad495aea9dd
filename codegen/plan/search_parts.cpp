#include "codegen/plan/search_parts.h"

#include <optional>

namespace mpf {

namespace {

/// One graph step (8 ns on one core) takes as long as this many elementary operations of a program.
constexpr double kOperationsPerStep = 8;
/// The search may take this share of the predicted run.
constexpr double kSearchShare = 0.5;
/// With a time to fill, a search still ends when it took so many times the predicted run.
constexpr double kTimedShare = 100;
/// Without one it ends after this many rounds, and half of all before, that brought nothing.
constexpr uint64_t kMaxVainRounds = 64;

/// Gives rounds to the parts until the limits are reached.
class SearchOfParts {
public:
  SearchOfParts(std::vector<OrderSearch> &parts, const PlanOptions &options)
      : options_(options), stop_(options.search) {
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
      ++effort.rounds;
      steps_ += part.steps() - before;
      if (part.finished())
        open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(*next));
    }
  }

private:
  /// The part that is dearest for what was spent on it.
  std::optional<size_t> choose(uint64_t rounds) const {
    const SearchLimits &limits = options_.search;
    const bool counted = limits.rounds.has_value();
    if (counted ? rounds >= *limits.rounds : !limits.seconds && steps_ >= options_.searchSteps)
      return std::nullopt;
    std::optional<size_t> dearest;
    double highest = -1;
    for (size_t i = 0; i < open_.size(); ++i) {
      const OrderSearch &part = *open_[i];
      const double spent = kOperationsPerStep * static_cast<double>(part.steps());
      const double ratio = part.result().cheapest.cost / spent;
      if (counted || ratio > 1 / (limits.seconds ? kTimedShare : kSearchShare)) {
        const bool tired =
            !counted && !limits.seconds && part.vainRounds() >= kMaxVainRounds + part.rounds() / 2;
        if (!tired && ratio > highest) {
          highest = ratio;
          dearest = i;
        }
      }
    }
    return dearest;
  }

  const PlanOptions &options_;
  const SearchStop stop_;
  std::vector<OrderSearch *> open_;
  uint64_t steps_ = 0;
};

} // namespace

void searchParts(std::vector<OrderSearch> &parts, const PlanOptions &options,
                 SearchEffort &effort) {
  SearchOfParts(parts, options).run(effort);
}

} // namespace mpf
