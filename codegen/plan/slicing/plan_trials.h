// Tries orders under the memory bound: runs the passes on each, and keeps the program within the
// bound that takes the least work.
#pragma once

#include "codegen/plan/order/choose_order.h"
#include "codegen/plan/passes/plan_pipeline.h"
#include "codegen/plan/program/plan_options.h"

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// The smallest peak of the plans tried so far. Peaks above 2^61 bytes, which planMemory does not
/// count, are known as logarithms only.
class SmallestPeak {
public:
  /// Notes a program and its MemoryPlan::peakBytes.
  void take(const TableProgram &program, uint64_t bytes, ElementType type);
  /// Notes a peak that is known as log2 of bytes.
  void takeLog2(double bits);
  bool isAbove(const SmallestPeak &other) const;
  bool isWithin(uint64_t bytes) const;
  bool isKnown() const { return log2Bytes_ != kUnknown || bytes_ != UINT64_MAX; }
  std::string text() const; ///< with its unit, for messages

private:
  static constexpr double kUnknown = std::numeric_limits<double>::infinity();
  uint64_t bytes_ = UINT64_MAX;
  double log2Bytes_ = kUnknown;
};

/// The result of one order. The ways to run the passes on it are tried one after another.
struct TrialResult {
  /// Peak of the first way within the bound. If none is, the smallest peak; where messages were
  /// computed again, about the least that this could reach (leastPeakBytes).
  uint64_t peakBytes = UINT64_MAX;
  bool fits = false; ///< a way is within the bound
  /// Bucket addresses of that way's program, in all slices. Each bucket counts as at least
  /// Subject::leastAddresses.
  double addresses = std::numeric_limits<double>::infinity();
  double addressesOfFirst = addresses; ///< addresses of the first way's program
  size_t tables = 0;                   ///< tables of the first way's program
};

/// The trials of one query. Not thread-safe.
class PlanTrials {
public:
  /// A way to run the passes on an order.
  struct Way {
    std::vector<std::string> offPasses;
    KeptMessages keep = KeptMessages::None;
    bool changesForGpu = false;              ///< adds chains and splits; false while it is tried
    std::optional<RecomputeBound> recompute; ///< messages may be computed again
  };
  /// A program within the bound, with the order and the way that gave it.
  struct Accepted {
    TableProgram program;
    OrderChoice order;
    Way way;
    TrialResult cost;
  };

  /// The subject of the trials. All references must outlive them.
  struct Subject {
    const Model &model;
    const TableProgram &initial;
    const InputContents &contents;
    const PlanOptions &options;
    const PlanHooks &hooks;
    bool isSigned = false;     ///< hasSignedProducts (program_memory.h)
    double leastAddresses = 0; ///< least addresses that a bucket counts as (RunCosts)
  };

  /// `findsLeast`: smallest() is wanted, which takes longer. Then the trials and their results do
  /// not depend on the bound until a program is within it.
  PlanTrials(const Subject &subject, bool findsLeast)
      : model_(subject.model), initial_(subject.initial), contents_(subject.contents),
        options_(subject.options), hooks_(subject.hooks), isSigned_(subject.isSigned),
        leastAddresses_(subject.leastAddresses), findsLeast_(findsLeast) {}

  /// Tries the ways to run the passes on an order, those of the least work first, until one is
  /// within the bound:
  /// - with the given PlanOptions;
  /// - without merge-operands and contract-operands, which may take memory;
  /// - for marginals, both again with messages computed again.
  ///
  /// Each is tried with fewer kept messages until it fits or none is left. A way that would give
  /// the same program as the one before is left out. The program is accepted when it takes less
  /// work than the one accepted before. Throws as runPlanPasses.
  TrialResult run(const OrderChoice &order);
  /// Notes an order that is refused without running the passes on it.
  void skip(const OrderChoice &order);

  const std::optional<Accepted> &accepted() const { return accepted_; }
  /// Returns the final form of the accepted program, verified: with chains and splits, if it stays
  /// within the bound, and with its tables packed and laid out. If hooks.after is set, the passes
  /// run once more to show them. Call it once, and only if there is an accepted program (else
  /// Error(Internal)).
  TableProgram finished(const PlanHooks &hooks);
  const SmallestPeak &smallest() const { return smallest_; }
  /// True when the inputs and outputs of the first program that was refused alone take more than
  /// the bound.
  bool isHopeless() const;
  /// True when isHopeless() holds and no program can take much less than smallest(): further trials
  /// would change nothing in the message.
  bool isSmallestOfAll() const;
  /// True when programs of this query may compute messages again to stay within the bound.
  bool mayRecompute() const;

private:
  struct Shape {
    std::vector<std::string> offPasses;
    TableProgram program;
  };

  std::vector<Way> ways() const;
  PassInput inputOf(const OrderChoice &order, const Way &way) const {
    PassInput input{order,         contents_,         way.keep, options_.deviceCosts,
                    way.recompute, way.changesForGpu, {},       options_.search};
    if (options_.branchesAtOnce)
      input.branches = branchTerms(order);
    return input;
  }
  BranchTerms branchTerms(const OrderChoice &order) const;
  TableProgram shape(const OrderChoice &order, const Way &way);
  TableProgram program(const OrderChoice &order, const Way &way, PlanHooks hooks,
                       PassStage last) const;
  bool mayChangeForGpu() const;
  TrialResult run(const OrderChoice &order, Way way);
  void verify(const Accepted &accepted) const;
  void changeForGpu();
  bool isWithinBound(uint64_t bytes) const;
  bool isNearFloor() const;
  bool keepFewer(TableProgram &program, KeptMessages &keep) const;

  const Model &model_;
  const TableProgram &initial_;
  const InputContents &contents_;
  const PlanOptions &options_;
  const PlanHooks &hooks_;
  const bool isSigned_;
  const double leastAddresses_;
  const bool findsLeast_;
  std::optional<Accepted> accepted_;
  SmallestPeak smallest_;
  std::vector<Shape> shapes_; ///< shapes of the order that is being tried, for later ways
  bool widened_ = true;       ///< passes that some ways leave out changed its program
  uint64_t endBytes_ = 0;     ///< bytes of inputs and outputs; 0: no program was refused yet
};

} // namespace mpf
