// Lists the passes of the simplifier, as data, and runs them in rounds until little changes.
//
//   evidence         observed variables keep one state                    (pass_evidence.h)
//   zeros            states without support leave their domains           (pass_zeros.h)
//   constants        single states, scalars and absent variables leave    (pass_constants.h)
//   uniform          factors lose the variables they do not depend on     (pass_uniform.h)
//   barren           singletons whose reduction is a constant             (pass_singletons.h)
//   components       components that a posterior does not depend on       (pass_components.h)
//   aliases          variables that are renamings of another              (pass_functions.h)
//   merge-states     states that are equal in all factors but one         (pass_merge_states.h)
//   merge-factors    factors whose scopes are contained in others         (pass_merge_factors.h)
//   functions        functional variables, where tables do not grow       (pass_functions.h)
//   leaves           other singletons of small factors                    (pass_singletons.h)
//   probing          states refuted by propagating them, and entries that
//                    contradict a state, within a bound                   (pass_probing.h)
#pragma once

#include "codegen/simplify/state/simplify_state.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

/// The queries whose answer a pass keeps.
struct PassValidity {
  /// Values of QueryTraits::restored for which the pass is valid.
  std::span<const Restored> answers;
  bool needsZero = false; ///< only in semirings with a zero (Algebra::hasZero)

  bool holdsFor(const SimplifyState &state) const;
};

/// One row of the list of passes.
struct SimplifyPass {
  std::string_view name;
  bool (*run)(SimplifyState &state); ///< returns whether something changed
  PassValidity validity;
  bool needsFinalEvidence = false; ///< only where no session may change observed states
  /// Expensive: runs only in a round that has changed nothing or, after the first round, gained
  /// less than 1 % so far; at most twice.
  bool atRest = false;
  /// Approximate time for each entry of all tables, if the pass reads most of them; 0: less than
  /// every later stage takes.
  double entryUs = 0;
};

/// Returns all passes, in the order of one round.
const std::vector<SimplifyPass> &simplifyPasses();
/// The pass of this name, or null.
const SimplifyPass *findSimplifyPass(std::string_view name);
bool isSimplifyPass(std::string_view name);

/// The effect of one pass in one round, for --print-after, --print-changed and --time-passes.
struct SimplifyEvent {
  std::string_view pass;
  unsigned round = 0; ///< from 1 on
  const SimplifyState &state;
  bool changed = false;
  SimplifySize before, after;
  double seconds = 0; ///< wall-clock time
};

struct SimplifyOptions {
  /// The values of factors are final: no session binds others. Without it nothing is simplified.
  bool finalTables = false;
  bool finalEvidence = false;          ///< observed states are final too
  ElementType type = ElementType::F64; ///< type of the run: whole numbers stay exact
  std::vector<std::string> offPasses;  ///< names of passes to leave out
  /// Factors without values, over one variable each. If the variable is a function of others, the
  /// caller can also give the entries as a table over those (Simplified::indicators).
  std::vector<FactorId> indicators;
  /// Whether a pass that takes about `priceUs` microseconds pays, in the state before it. A pass
  /// that does not is left out of the round. Empty: all pay.
  std::function<bool(const SimplifyState &, double priceUs)> pays;
  /// The most rounds. A round takes time linear in the tables, by bounds on the work of zeros and
  /// probing. Few queries need more than five. The first round that changes nothing, or after the
  /// first one gains less than 1 %, is the last, unless a pass at rest changed something.
  unsigned maxRounds = 20;
};

using SimplifyHook = std::function<void(const SimplifyEvent &)>;

/// Returns the reason why `pass` may not run on `state`, as one clause; empty: it may.
std::string findPassObstacle(const SimplifyState &state, const SimplifyPass &pass,
                             const SimplifyOptions &options);

/// Runs one pass in place, which findPassObstacle must allow. Calls `after`, if it is not empty,
/// with the number `round`. Returns whether something changed.
bool runSimplifyPass(SimplifyState &state, const SimplifyPass &pass, unsigned round,
                     const SimplifyHook &after);

/// Runs the rounds in place, with all passes that are allowed and not turned off. Ends at once when
/// the problem is impossible.
void runSimplifyPasses(SimplifyState &state, const SimplifyOptions &options,
                       const SimplifyHook &after);

} // namespace mpf
