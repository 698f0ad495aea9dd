// SIMPLIFY STATE: one query of one model while it is being simplified. The passes
// (simplify_pipeline.h) change it in place; problemToModel (simplify.h) turns it into a smaller
// Model with the same variables.
//
// Invariant between passes: reducing the combined factors over the states that are left, times
// `scale`, and undoing `steps` gives the answer of the original query.
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
  uint32_t extent = 0;
  std::vector<uint32_t> origin; ///< per state: the declared state it stands for; empty: itself
  bool asked = false;           ///< an output of the query: its axis stays in the result
  bool reduced = false;         ///< the query reduces over it
  bool observed = false;        ///< observed, and the state may change: nothing is known about it
  bool hasInput = false;        ///< in the scope of a factor without values (`input`)
  bool gone = false;            ///< in no factor any more, nothing left to reduce
};

struct SimplifyFactor {
  FactorId declared; ///< of the model; a merged factor goes on as the bigger one
  std::vector<VarId> scope;
  EntryTable values; ///< row-major over scope; not known: bound later, never looked at

  bool known() const { return values.known(); }
};

struct SimplifyState {
  const Model *model = nullptr; ///< the declared variables, names and labels
  const Query *query = nullptr;
  Algebra algebra{Semiring{}};
  std::vector<SimplifyVariable> variables;
  std::vector<SimplifyFactor> factors;
  AnswerScale scale;
  std::vector<AnswerStep> steps;
  bool impossible = false; ///< the whole sum is zero: "evidence has probability zero"

  const QueryTraits &traits() const { return traitsOf(query->kind); }
  SimplifyVariable &variable(VarId id) { return variables[id.index()]; }
  const SimplifyVariable &variable(VarId id) const { return variables[id.index()]; }
  uint32_t extent(VarId id) const { return variables[id.index()].extent; }
  std::vector<uint32_t> extents(const std::vector<VarId> &scope) const;
  uint64_t elems(const std::vector<VarId> &scope) const; ///< saturating

  /// May its states leave, merge or be renamed?
  bool mayShrink(VarId id) const {
    const SimplifyVariable &v = variable(id);
    return !v.observed && !v.hasInput && !v.gone;
  }
  /// May it leave altogether, without an answer of its own? Never where all posteriors are asked
  /// for.
  bool mayLeave(VarId id) const {
    const SimplifyVariable &v = variable(id);
    return mayShrink(id) && v.reduced && !v.asked && traits().outputs != QueryOutputs::Posteriors;
  }
};

/// The size of the state; --time-passes prints it before and after a pass.
struct SimplifySize {
  uint64_t variables = 0; ///< of two states or more
  uint64_t values = 0;    ///< states of those
  uint64_t factors = 0;
  uint64_t entries = 0;
  friend bool operator==(const SimplifySize &, const SimplifySize &) = default;
};
SimplifySize sizeOf(const SimplifyState &problem);

/// The query as the simplifier first sees it. Factors with values that are not finite count as
/// unknown: binding them reports the entry.
SimplifyState makeProblem(const Model &model, const Query &query,
                          ElementType type = ElementType::F64);

/// Which factors have a variable in their scope: one flat list, factors ascending.
class Incidence {
public:
  explicit Incidence(const SimplifyState &problem);
  std::span<const uint32_t> of(VarId id) const {
    return {list_.data() + first_[id.index()], first_[id.index() + 1] - first_[id.index()]};
  }

private:
  std::vector<size_t> first_;
  std::vector<uint32_t> list_;
};

} // namespace mpf
