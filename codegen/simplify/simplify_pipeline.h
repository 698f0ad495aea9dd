// THE PASSES of the simplifier, as data, and the one loop that runs them until little changes.
//
//   evidence         observed variables keep one state                    (pass_evidence.h)
//   zeros            states without support leave                         (pass_zeros.h)
//   constants        single states, scalars and absent variables leave    (pass_constants.h)
//   uniform          factors lose the variables they do not depend on     (pass_uniform.h)
//   barren           private variables that leave a constant              (pass_singletons.h)
//   parts            parts that a posterior does not depend on            (pass_components.h)
//   copies           variables that are renamings of another              (pass_functions.h)
//   merge-states     states that are equal in all factors but one         (pass_merge_states.h)
//   merge-factors    contained and repeated factors                       (pass_merge_factors.h)
//   functions        functional variables, where no table grows           (pass_functions.h)
//   leaves           other private variables of small factors             (pass_singletons.h)
//   probing          states refuted by propagating them, within a bound   (pass_probing.h)
#pragma once

#include "codegen/simplify/state/simplify_state.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

/// For which queries a pass keeps the answer: those that it names, and no other.
struct PassValidity {
  std::span<const Restored> answers; ///< from which the query's is restored (QueryTraits::restored)
  bool needsZero = false;            ///< only in semirings with a zero (Algebra::hasZero)

  bool holdsFor(const SimplifyState &problem) const;
};

struct SimplifyPass {
  std::string_view name;
  bool (*run)(SimplifyState &problem); ///< true: something changed
  PassValidity validity;
  bool needsFinalEvidence = false; ///< only where no session may change observed states
  bool atRest =
      false; ///< expensive: only in a round that gained less than 1 % so far, at most twice
};

/// In the order of one round.
const std::vector<SimplifyPass> &simplifyPasses();
/// Null for a name that there is not.
const SimplifyPass *findSimplifyPass(std::string_view name);
bool isSimplifyPass(std::string_view name);

/// What one pass did in one round, for --print-after, --print-changed and --time-passes.
struct SimplifyEvent {
  std::string_view pass;
  unsigned round = 0; ///< from 1 on
  const SimplifyState &problem;
  bool changed = false;
  SimplifySize before, after;
  double seconds = 0;
};

struct SimplifyOptions {
  /// Simplify at all: the factors' values are final, no session binds new ones.
  bool finalTables = false;
  bool finalEvidence = false;          ///< nor changes observed states
  ElementType type = ElementType::F64; ///< of the run: whole numbers stay exact
  std::vector<std::string> offPasses;
  unsigned maxRounds = 20; ///< each takes time linear in the tables, zeros and probing by bounds
                           ///< on their work; few need more than five. A round that gains less than
                           ///< 1 % is the last
};

using SimplifyHook = std::function<void(const SimplifyEvent &)>;

/// Why `pass` may not be run on it, in a few words; empty: it may.
std::string findPassObstacle(const SimplifyState &problem, const SimplifyPass &pass,
                             const SimplifyOptions &options);

/// One pass, once, in place, as a part of `round`. True: something changed.
bool runSimplifyPass(SimplifyState &problem, const SimplifyPass &pass, unsigned round,
                     const SimplifyHook &after);

/// Runs the passes in place. Sizes in events are computed only if there is a hook.
void runSimplifyPasses(SimplifyState &problem, const SimplifyOptions &options,
                       const SimplifyHook &after);

} // namespace mpf
