// Holds one query of one model while it is being simplified. The passes (simplify_pipeline.h)
// change it in place; stateToModel (simplify.h) turns it into a smaller Model with the same
// variables.
//
// Invariant between passes: three steps give the answer of the original query. Combine the factors
// and reduce them over the states that are left; apply `scale`; undo `steps` from the last to the
// first.
#pragma once

#include "codegen/bundle/postsolve_map.h"
#include "codegen/simplify/state/algebra.h"
#include "dsl/model/model.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace mpf {

struct SimplifyVariable {
  uint32_t extent = 0;          ///< number of states that are left
  std::vector<uint32_t> origin; ///< by state: the first declared state that it replaces; empty:
                                ///< itself
  bool asked = false;           ///< an output of the query: its axis stays in the result
  bool reduced = false;         ///< the query reduces over it
  bool observed = false;        ///< observed, and the state may change
  bool hasInput = false;        ///< in the scope of a factor that is not known, no indicator; or
                                ///< held (Query::output): there is an answer for each state
  bool hasIndicator = false;    ///< in the scope of an indicator
  bool gone = false;            ///< in no factor any more, nothing left to reduce

  /// Whether the variable must keep its declared states: the entries of its factors are given
  /// later.
  bool keepsStates() const { return hasInput || hasIndicator; }
};

struct SimplifyFactor {
  FactorId declared; ///< the factor of the model; for merged factors, the larger one
  std::vector<VarId> scope;
  EntryTable values; ///< row-major over scope; not known: bound later (`input`), or not finite
  bool isIndicator = false; ///< SimplifyOptions::indicators; not known
  /// Indicators whose variable was replaced by a function of others: by assignment of `scope`,
  /// row-major, the state of the declared variable whose entry is used.
  std::vector<uint32_t> declaredStates;

  bool known() const { return values.known(); }
};

struct SimplifyState {
  const Model *model = nullptr; ///< the declared variables, names and labels
  const Query *query = nullptr;
  Algebra algebra{Semiring{}};
  std::vector<SimplifyVariable> variables;
  std::vector<SimplifyFactor> factors;
  AnswerScale scale;             ///< constants that were taken out of the factors
  std::vector<AnswerStep> steps; ///< changes of variables, in the order in which they were made
  bool impossible = false;       ///< the whole reduction is zero: "evidence has probability zero"

  const QueryTraits &traits() const { return traitsOf(query->kind); }
  SimplifyVariable &variable(VarId id) { return variables[id.index()]; }
  const SimplifyVariable &variable(VarId id) const { return variables[id.index()]; }
  uint32_t extent(VarId id) const { return variables[id.index()].extent; }
  std::vector<uint32_t> extents(const std::vector<VarId> &scope) const;
  uint64_t elems(const std::vector<VarId> &scope) const; ///< saturating

  /// Whether states of the variable may leave, merge or be renamed.
  bool mayShrink(VarId id) const {
    const SimplifyVariable &v = variable(id);
    return !v.observed && !v.keepsStates() && !v.gone;
  }
  /// Whether the variable may leave without an answer of its own. False if the query asks for all
  /// posteriors.
  bool mayLeave(VarId id) const {
    const SimplifyVariable &v = variable(id);
    return mayShrink(id) && v.reduced && !v.asked && traits().outputs != QueryOutputs::Posteriors;
  }
  /// Whether the variable, which has an indicator, may leave if it is a function of others, which
  /// then get the indicator.
  bool mayPassIndicatorOn(VarId id) const {
    const SimplifyVariable &v = variable(id);
    return v.hasIndicator && !v.observed && !v.hasInput && !v.gone && v.reduced && !v.asked &&
           !traits().asksEachVariable();
  }
};

/// The size of the state; --time-passes prints it before and after a pass.
struct SimplifySize {
  uint64_t variables = 0; ///< those of two states or more, neither gone nor observed
  uint64_t values = 0;    ///< states of these variables
  uint64_t factors = 0;
  uint64_t entries = 0; ///< entries of all factors, saturating
  friend bool operator==(const SimplifySize &, const SimplifySize &) = default;
};
SimplifySize sizeOf(const SimplifyState &state);

/// Returns the state before any pass. Factors with values that are not finite count as not known:
/// binding them reports the entry. (The value -infinity is allowed where it is the semiring's
/// zero.) `model` and `query` must outlive the state. Throws as checkedSemiring (query_support.h).
/// `indicators`: SimplifyOptions::indicators.
SimplifyState makeProblem(const Model &model, const Query &query,
                          ElementType type = ElementType::F64,
                          std::span<const FactorId> indicators = {});

/// The factors that have a variable in their scope, ascending, as they were at construction.
class Incidence {
public:
  explicit Incidence(const SimplifyState &state);
  std::span<const uint32_t> of(VarId id) const {
    return {list_.data() + first_[id.index()], first_[id.index() + 1] - first_[id.index()]};
  }

private:
  std::vector<size_t> first_;
  std::vector<uint32_t> list_;
};

} // namespace mpf
