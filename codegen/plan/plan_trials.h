// Trials of orders under the memory bound: the passes run on each, and the last program that stays
// within it is kept.
#pragma once

#include "codegen/plan/choose_order.h"
#include "codegen/plan/plan_options.h"
#include "codegen/plan/plan_pipeline.h"

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
  void take(const SmallestPeak &other);
  void takeLog2(double bits);
  bool isAbove(const SmallestPeak &other) const;
  std::string text() const;

private:
  uint64_t bytes_ = UINT64_MAX;
  double log2Bytes_ = std::numeric_limits<double>::infinity();
};

/// Of one query; holds references to all that it is given. Not thread-safe.
class PlanTrials {
public:
  /// `isSigned`: tables carry signs beside their entries (program_memory.h). Chains are looked for
  /// and sums are cut as `options` say, and done without where that alone breaks the bound.
  PlanTrials(const TableProgram &initial, const InputContents &contents, const PlanOptions &options,
             const PlanHooks &hooks, bool isSigned)
      : initial_(initial), contents_(contents), options_(options), hooks_(hooks),
        isSigned_(isSigned) {}

  /// The peak of the program: of the first attempt within the bound, else the smallest.
  uint64_t run(const OrderChoice &order);
  /// An order that is refused before its buckets are built.
  void skip(const OrderChoice &order);

  std::optional<TableProgram> &accepted() { return accepted_; }
  uint64_t acceptedBytes() const { return acceptedBytes_; }
  /// Once more, for someone who watches the passes.
  TableProgram acceptedShown(PlanHooks hooks) const;
  /// The accepted program once and for all: with chains, where it stays within the bound, and shown
  /// to whoever watches.
  TableProgram finished(const PlanHooks &hooks, ChainTimes *chains);
  const SmallestPeak &smallest() const { return smallest_; }

private:
  struct Outcome {
    uint64_t bytes = 0;  ///< peak
    bool forGpu = false; ///< it has chains, or sums in parts
  };

  Outcome run(const OrderChoice &order, const PlanHooks &attempt, ChainTimes *chains);
  bool isWithinBound(uint64_t bytes) const;
  bool keepFewer(TableProgram &program, KeptMessages &keep) const;

  const TableProgram &initial_;
  const InputContents &contents_;
  const PlanOptions &options_;
  const PlanHooks &hooks_;
  const bool isSigned_;
  std::optional<TableProgram> accepted_;
  OrderChoice acceptedOrder_;
  std::vector<std::string> acceptedOff_;
  KeptMessages acceptedKeep_ = KeptMessages::None;
  ChainTimes *acceptedChains_ = nullptr;
  uint64_t acceptedBytes_ = 0;
  SmallestPeak smallest_;
};

} // namespace mpf
