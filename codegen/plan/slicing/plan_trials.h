// Trials of orders under the memory bound: the passes run on each, and the last program that stays
// within it is kept.
#pragma once

#include "codegen/plan/order/choose_order.h"
#include "codegen/plan/passes/plan_pipeline.h"
#include "codegen/plan/program/plan_options.h"

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// The smallest peak of the plans tried so far. Peaks of 2^62 bytes and more are known as
/// logarithms only.
class SmallestPeak {
public:
  void take(const TableProgram &program, uint64_t bytes, ElementType type);
  void takeLog2(double bits);
  bool isAbove(const SmallestPeak &other) const;
  bool isWithin(uint64_t bytes) const;
  bool isKnown() const { return log2Bytes_ != kUnknown || bytes_ != UINT64_MAX; }
  std::string text() const;

private:
  static constexpr double kUnknown = std::numeric_limits<double>::infinity();
  uint64_t bytes_ = UINT64_MAX;
  double log2Bytes_ = kUnknown;
};

struct TrialResult {
  uint64_t peakBytes = UINT64_MAX; ///< of the first way within the bound, else the smallest
  bool fits = false; ///< a program within the bound was accepted. In a search for the least
                     ///< peak, peakBytes may be below what recomputing really reaches
  /// Bucket addresses of that program, slices counted.
  double addresses = std::numeric_limits<double>::infinity();
  double addressesOfFirst = addresses; ///< of the first way
  size_t tables = 0;                   ///< of the first way's program
};

/// The trials of one query. Keeps references to all arguments. Not thread-safe.
class PlanTrials {
public:
  /// How the passes are run on an order.
  struct Way {
    std::vector<std::string> offPasses;
    KeptMessages keep = KeptMessages::None;
    bool changesForGpu = false;              ///< chains are looked for, sums are cut
    std::optional<RecomputeBound> recompute; ///< messages are computed again
  };
  /// A program within the bound, with the order and the way that gave it.
  struct Accepted {
    TableProgram program;
    OrderChoice order;
    Way way;
    TrialResult cost;
  };

  /// When chains are looked for and sums are cut, if `options` have device costs: in every order,
  /// or in the accepted one alone, because a search tries many. Either way they are done without
  /// where that alone breaks the bound.
  enum class ChangesForGpu { EveryOrder, AcceptedOrder };

  /// `isSigned`: tables carry signs beside their entries (program_memory.h).
  /// `findsLeast`: smallest() is wanted, which takes longer. What is tried, and what it comes to,
  /// does not depend on the bound then until something is within it.
  PlanTrials(const TableProgram &initial, const InputContents &contents, const PlanOptions &options,
             const PlanHooks &hooks, bool isSigned, bool findsLeast, ChangesForGpu changes)
      : initial_(initial), contents_(contents), options_(options), hooks_(hooks),
        isSigned_(isSigned), findsLeast_(findsLeast), changes_(changes) {}

  /// Tries the ways to run the passes, those that cost least work first. A program within the bound
  /// is accepted when it takes less work than the one accepted before.
  TrialResult run(const OrderChoice &order);
  /// Notes an order that is refused without running the passes on it.
  void skip(const OrderChoice &order);

  const std::optional<Accepted> &accepted() const { return accepted_; }
  /// The final form of the accepted program: with chains, if it stays within the bound, and with
  /// its tables laid out. Calls the hooks.
  TableProgram finished(const PlanHooks &hooks);
  const SmallestPeak &smallest() const { return smallest_; }
  /// True when inputs and outputs alone take more than the bound, in all programs refused so far.
  bool isHopeless() const;
  /// True when isHopeless() holds and no program can take much less than smallest(): further trials
  /// would change nothing in the message.
  bool isSmallestOfAll() const;
  /// True when programs of this query may compute messages again to stay within the bound.
  bool mayRecompute() const;

private:
  struct Outcome {
    TrialResult cost;
    bool forGpu = false; ///< it has chains, or sums in parts
  };

  struct Shape {
    std::vector<std::string> offPasses;
    TableProgram program;
  };

  std::vector<Way> ways() const;
  PassInput inputOf(const OrderChoice &order, const Way &way) const {
    return {order,         contents_,         way.keep,       options_.deviceCosts,
            way.recompute, way.changesForGpu, options_.search};
  }
  TableProgram shape(const OrderChoice &order, const Way &way);
  TableProgram program(const OrderChoice &order, const Way &way, PlanHooks hooks,
                       PassStage last) const;
  bool mayChangeForGpu() const;
  Outcome run(const OrderChoice &order, Way way);
  bool isWithinBound(uint64_t bytes) const;
  bool isNearFloor() const;
  bool keepFewer(TableProgram &program, KeptMessages &keep) const;

  const TableProgram &initial_;
  const InputContents &contents_;
  const PlanOptions &options_;
  const PlanHooks &hooks_;
  const bool isSigned_, findsLeast_;
  const ChangesForGpu changes_;
  std::optional<Accepted> accepted_;
  SmallestPeak smallest_;
  std::vector<Shape> shapes_; ///< of the order that is being tried, for ways to come
  bool widened_ = true;       ///< the passes that some ways leave out did something in it
  uint64_t endBytes_ = 0;     ///< of inputs and outputs
};

} // namespace mpf
