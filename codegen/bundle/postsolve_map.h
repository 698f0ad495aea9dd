// POSTSOLVE MAP: turns the answer of a simplified problem into the answer that was asked for.
// Plain data: the simplifier (codegen/simplify) writes it, a session
// (runtime/execute/host/postsolve.h) reads it after every run, a bundle file stores it.
//
// Variables keep their numbers. A variable that left the problem has extent 1 in the bundle and is
// observed there in state 0. The steps are undone from the last to the first; they restore its
// states.
#pragma once

#include "codegen/bundle/head/program_head.h"
#include "dsl/support/evidence.h"
#include "dsl/support/format_id.h"
#include "dsl/support/scaled_number.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// A factor taken out of every result: value = result * factor; for sums of costs and of logs,
/// value = result + offset. Range is never lost: thousands of constants fit.
struct AnswerScale {
  /// The greatest |offset|: costs beyond it have no units left, logs beyond it no exponent that
  /// fits.
  static constexpr double kMaxOffset = 0x1p52;

  ScaledNumber factor{1, 0};
  double offset = 0;
};

/// One change of one variable, in one of two forms:
/// - Without `source`: the states in `newState` stay. A state that several old states map to was
///   made by merging them. Marginals split its value by `share`. Best assignments choose by
///   `share`, or by `table` if that is not empty.
/// - With `source`: in every assignment of weight, state = stateOf[state of source]. Only the
///   length of newState matters: the number of old states.
struct AnswerStep {
  static constexpr uint32_t kNoState = UINT32_MAX; ///< left the domain: its answer is zero

  VarId variable;
  std::vector<uint32_t> newState; ///< per old state
  /// Per old state: its part of the new state's value; empty: all of it. For best assignments the
  /// old state with the greatest share is taken, the lowest among equals.
  std::vector<double> share;

  std::optional<VarId> source;
  std::vector<uint32_t> stateOf; ///< per state of source

  /// Best assignments only: of the old states that became one, take the first that maximises this
  /// table; row-major over `scope` (which contains `variable`), last variable fastest.
  std::vector<VarId> scope;
  std::vector<uint32_t> scopeExtents;
  std::shared_ptr<const std::vector<double>> table;
};

/// The greatest number of entries of a restored result, which is outside the memory that a plan
/// promises. Queries with more are not simplified.
inline constexpr uint64_t kMaxRestoredElems = uint64_t{1} << 28;

struct PostsolveMap {
  AnswerScale scale;
  /// The variables as the user declared them, one per variable. Their flags are false here: those
  /// of the bundle's variables hold.
  std::vector<HeadVariable> variables;
  /// The evidence as the user declared it, with the states at compile time. Findings that are not
  /// fixed are findings of the bundle too.
  Evidence evidence;
  std::vector<AnswerStep> steps; ///< in the order they were made
};

} // namespace mpf
