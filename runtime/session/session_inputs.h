// The evidence and the values of a session's inputs, and which of them the device still lacks.
#pragma once

#include "codegen/bundle/bundle.h"
#include "dsl/support/wide_table.h"
#include "runtime/execute/host/executor.h"
#include "runtime/execute/host/magnitudes.h"
#include "runtime/schedule/needed_operations.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace mpf {

/// The bundle must outlive it.
class SessionInputs {
public:
  explicit SessionInputs(const Bundle &bundle);

  /// Does the work of Session::bind for `elems` values, in the form that StoredValues reads.
  void bind(std::string_view factor, std::span<const double> stored, uint64_t elems);
  /// Does the work of Session::lend.
  void lend(std::string_view factor, std::span<const double> values);
  /// Returns an observed variable. Throws Error(Usage) for a name whose state cannot change.
  VarId observedVariable(std::string_view name) const;
  void observe(VarId variable, uint32_t state);
  /// Returns the evidence of the next run.
  const Evidence &evidence() const { return evidence_; }

  /// Notes that the device has lost an input, or all.
  void forget(size_t input) { isChanged_[input] = true; }
  void forgetAll() { isChanged_.assign(isChanged_.size(), true); }
  /// Gives the executor the inputs that changed since the last run, except those `elsewhere` (a
  /// flag per input), whose values the next run takes from the device. Restricts them to the
  /// observed states, and scales them. Notes in `needed` which operations must run again.
  void give(Executor &executor, const std::vector<bool> &elsewhere, NeededOperations &needed);
  /// Returns the exponent of all tables for sums of costs; else 0.
  int32_t tablesExponent() const { return tablesExponent_; }
  /// Returns the greatest exponents by input, for sums of costs (sum_exponent.h).
  const std::vector<std::optional<int32_t>> &greatest() const { return greatest_; }

private:
  /// Values that were bound or lent, and what is known of them.
  struct Bound {
    std::vector<double> own;              ///< a copy; empty: `values` are lent
    std::span<const double> values;       ///< empty: those of the bundle
    std::optional<Magnitudes> magnitudes; ///< of all values, if they are plain
  };

  template <class F> void change(std::string_view factor, uint64_t elems, F f);
  std::span<const double> valuesOf(size_t input) const;
  bool isWide(size_t input) const;
  void updateSumExponent(const std::vector<bool> &elsewhere);
  void refuseBeyondScales() const;

  const Bundle &bundle_;
  Evidence evidence_;
  std::vector<Bound> bound_;        ///< by input
  std::vector<int64_t> wideScales_; ///< by input: scale of its table, if that is wide
  std::vector<bool> isChanged_;     ///< by input: must be bound before the next run
  std::vector<std::optional<int32_t>> greatest_;
  int32_t tablesExponent_ = 0;
};

} // namespace mpf
