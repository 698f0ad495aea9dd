// POSTSOLVE MAP: how the answer of a simplified problem becomes the answer that was asked for.
// Plain data: the simplifier (codegen/simplify) writes it, a session
// (runtime/execute/host/postsolve.h) reads it after every run, a bundle file stores it.
//
// Variables keep their numbers. A variable that left the problem has extent 1 in the bundle and is
// observed there in state 0; steps, undone from the last to the first, give it its states back.
#pragma once

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

/// One change of one variable. Exactly one of the two forms:
/// - `source` none: the states `newState` maps to stay; a state that several old ones map to was
///   made by merging them (marginals: `share`; best assignments: `share`, or `table` if not empty).
/// - `source` some: in every assignment of weight, state = stateOf[state of source]; newState only
///   says how many states there were.
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

struct AnswerVariable {
  std::string name;
  uint32_t extent = 0;
  std::vector<std::string> labels; ///< one per state, or empty
};

/// Entries of a restored result at most: it is outside the memory that a plan promises. Queries
/// with more are not simplified.
inline constexpr uint64_t kMaxRestoredElems = uint64_t{1} << 28;

struct PostsolveMap {
  AnswerScale scale;
  std::vector<AnswerVariable> variables; ///< as the user declared them, one per variable
  /// As the user declared it, with the states at compile time. Findings that are not fixed are
  /// findings of the bundle too.
  Evidence evidence;
  std::vector<AnswerStep> steps; ///< in the order they were made
};

} // namespace mpf
