#include "codegen/plan/order/search_components.h"

#include "codegen/plan/program/planning_budget.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <limits>
#include <optional>
#include <tuple>

namespace mpf {

namespace {

/// Rounds that need not save anything: the opening strategies are tried, and every annealing thread
/// begins.
constexpr uint64_t kFreeRounds = 4;
/// A search without seconds ends after this many rounds, plus half of all rounds, without a cheaper
/// order.
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

  /// Runs rounds; adds them to `effort`, and sets why they ended and whether they were stopped.
  void run(SearchEffort &effort, const SearchListener &afterRound) {
    while (const std::optional<size_t> next = choose(effort.rounds, effort.end)) {
      OrderSearch &component = *open_[*next];
      const uint64_t before = component.steps();
      if (stop_.now() || !component.round(options_.search.threads, stop_)) {
        effort.stopped = true;
        effort.end = SearchEnd::Stop;
        return;
      }
      // An order that does not fit the memory will be sliced, which takes the rest of the time.
      if (stop_.halfOver() && !allFit()) {
        effort.stopped = true;
        effort.end = SearchEnd::Stop;
        ++effort.rounds;
        return;
      }
      ++effort.rounds;
      MPF_CHECK(component.steps() >= before, "a round leaves {} steps of {}", component.steps(),
                before);
      steps_ += component.steps() - before;
      if (component.finished())
        open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(*next));
      if (afterRound) {
        setRun(effort);
        afterRound(effort);
      }
    }
  }

  /// Sets the predictions for a run of the best orders, on the device where it is expected to run.
  void setRun(SearchEffort &effort) {
    const RunCosts &costs = options_.runCosts;
    effort.work = work();
    const double hereUs = costs.runUs(effort.work);
    const double elsewhereUs = otherwiseUs(costs.expectedRuns * hereUs) / costs.expectedRuns;
    effort.elsewhere = elsewhereUs < hereUs;
    effort.runUs = std::min(hereUs, elsewhereUs);
  }

private:
  bool allFit() const {
    return std::all_of(components_.begin(), components_.end(),
                       [](const OrderSearch &component) { return component.fits(); });
  }

  /// Whether all components together may have more search. Levels of a GPU, and threads, serve many
  /// components at once, so each has less of a run than its account assumes.
  bool isWithinShare() {
    const RunCosts &costs = options_.runCosts;
    double steps = 0;
    for (const OrderSearch &component : components_)
      steps += static_cast<double>(component.steps());
    const double spentUs = costs.searchUs(steps), runsUs = costs.expectedRuns * costs.runUs(work());
    return spentUs < kTogetherShare * runsUs && spentUs < kSearchShare * otherwiseUs(runsUs);
  }

  /// The work of a run of the best orders.
  RunWork work() const {
    RunWork work;
    for (const OrderSearch &component : components_)
      work.add(component.result().cheapest.work);
    return work;
  }

  /// The predicted time of all runs on the other device; infinite if it is unknown, or certainly
  /// more than `hereUs`.
  double otherwiseUs(double hereUs) {
    const OtherDevice &other = options_.otherDevice;
    const bool isKnown = std::ranges::none_of(components_, [](const OrderSearch &component) {
      return std::isinf(component.result().cheapest.runUs);
    });
    if (!other.costs || !isKnown || hereUs <= other.openUs)
      return std::numeric_limits<double>::infinity();
    if (!asked_) {
      otherCosts_ = other.costs();
      if (otherCosts_) { // the search and its runs are the same there
        otherCosts_->expectedRuns = options_.runCosts.expectedRuns;
        otherCosts_->stepUs = options_.runCosts.stepUs;
      }
    }
    asked_ = true;
    return otherCosts_ ? other.openUs + options_.runCosts.expectedRuns * otherCosts_->runUs(work())
                       : std::numeric_limits<double>::infinity();
  }

  /// The costs of the device that all runs go to: the search saves only what it saves there. They
  /// go to the other device if that is faster, even after the search here saves once more what its
  /// later half has saved.
  const RunCosts &costsOfRuns(uint64_t rounds) {
    const RunCosts &costs = options_.runCosts;
    const double hereUs = costs.expectedRuns * costs.runUs(work());
    if (rounds < kFreeRounds || !(otherwiseUs(hereUs) < hereUs))
      return costs;
    double savedUs = 0;
    for (const OrderSearch &component : components_)
      savedUs += component.account(costs).savedUs;
    return otherwiseUs(hereUs) < hereUs - savedUs ? *otherCosts_ : costs;
  }

  /// The order in which components get rounds. All modes have the same order, so that counted
  /// rounds repeat the others. `ratio` is the quotient of the runs and the search spent. Components
  /// without gains come after all others; those on which too much was spent come last.
  struct Rank {
    bool unspent = false, gains = false, fresh = false;
    double ratio = -1;
    friend auto operator<=>(const Rank &a, const Rank &b) {
      return std::tuple(a.unspent, a.gains && a.fresh, a.ratio) <=>
             std::tuple(b.unspent, b.gains && b.fresh, b.ratio);
    }
  };
  static Rank rankOf(const OrderSearch &component, const RunCosts &costs) {
    const SearchAccount account = component.account(costs);
    const double ratio = account.runsUs / account.spentUs;
    return {ratio > 1 / kTimedShare,
            !component.fits() || component.rounds() < kFreeRounds || searchGains(account),
            component.vainRounds() < kMaxVainRounds + component.rounds() / 2, ratio};
  }

  /// The reason why a component of the highest rank gets no more rounds; nothing if it gets one.
  std::optional<SearchEnd> endOf(const Rank &rank) {
    if (options_.search.rounds)
      return std::nullopt;
    if (!rank.unspent)
      return SearchEnd::Share;
    if (options_.search.seconds)
      return std::nullopt;
    if (!rank.gains)
      return SearchEnd::Gain;
    if (!rank.fresh)
      return SearchEnd::Vain;
    if (!(rank.ratio > 1 / kSearchShare) || !isWithinShare())
      return SearchEnd::Share;
    return std::nullopt;
  }

  /// The place in open_ of the next component; nothing when the limits are reached, and then `end`
  /// is the reason.
  std::optional<size_t> choose(uint64_t rounds, SearchEnd &end) {
    const SearchLimits &limits = options_.search;
    if (open_.empty()) {
      end = SearchEnd::Nothing;
      return std::nullopt;
    }
    if (limits.rounds && rounds >= *limits.rounds) {
      end = SearchEnd::Rounds;
      return std::nullopt;
    }
    if (!limits.rounds && !limits.seconds && steps_ >= options_.searchSteps) {
      end = SearchEnd::Steps;
      return std::nullopt;
    }
    size_t first = 0;
    Rank highest;
    const RunCosts &costs = costsOfRuns(rounds);
    for (size_t i = 0; i < open_.size(); ++i)
      if (const Rank rank = rankOf(*open_[i], costs); i == 0 || (rank <=> highest) > 0) {
        highest = rank;
        first = i;
      }
    const std::optional<SearchEnd> ended = endOf(highest);
    end = ended.value_or(end);
    return ended ? std::nullopt : std::optional(first);
  }

  const PlanOptions &options_;
  const std::vector<OrderSearch> &components_;
  const SearchStop &stop_;
  std::vector<OrderSearch *> open_;
  uint64_t steps_ = 0;
  bool asked_ = false; ///< whether PlanOptions::otherDevice was asked
  std::optional<RunCosts> otherCosts_;
};

} // namespace

std::string_view searchEndText(SearchEnd end) {
  switch (end) {
  case SearchEnd::Nothing:
    return "no other order can be better, or is allowed";
  case SearchEnd::Share:
    return "it took its share of the runs";
  case SearchEnd::Gain:
    return "it saved less than it took";
  case SearchEnd::Vain:
    return "no better order came in many rounds";
  case SearchEnd::Steps:
    return "it took the most steps that it may";
  case SearchEnd::Rounds:
    return "so many rounds were asked for";
  case SearchEnd::Stop:
    return "its time was over, or a signal came";
  }
  MPF_UNREACHABLE("the end of a search");
}

void searchComponents(std::vector<OrderSearch> &components, const PlanOptions &options,
                      const SearchStop &stop, SearchEffort &effort,
                      const SearchListener &afterRound) {
  ComponentSearch search(components, options, stop);
  search.run(effort, afterRound);
  search.setRun(effort);
}

} // namespace mpf
