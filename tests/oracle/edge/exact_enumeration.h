// Enumerates the assignments of a query one by one, each with its exact product or sum.
#pragma once

#include "dsl/model/model.h"
#include "tests/oracle/edge/exact_number.h"

#include <cstdint>
#include <vector>

namespace mpf::oracle {

/// A product or sum of some of the factors' values.
struct ExactTerm {
  ExactNumber value; ///< meaningless under a sum if `zero`
  /// The magnitude of a product; of a sum, the sum of its terms' magnitudes.
  ExactNumber magnitude;
  bool zero = false; ///< a product that is 0, a sum that is -infinity
};

/// Enumerates assignments. Model and query must outlive it.
class ExactEnumeration {
public:
  /// Throws Error(Internal) for an infinite value that is not the zero of the query's algebra.
  ExactEnumeration(const Model &model, const Query &query);

  Semiring semiring() const { return semiring_; }
  /// Calls emit(term) for every assignment of the unobserved variables that the query depends on
  /// (for short forms: of all). Assignments of weight zero are left out, unless a minimum needs
  /// them.
  template <class Emit> void run(const Emit &emit) { visit(0, one(), emit); }
  /// Returns the term of all the query's factors.
  ExactTerm termAt(const std::vector<uint32_t> &assignment);
  /// Returns the place of the emitted assignment in a table over `scope`, row-major.
  size_t entryOf(const std::vector<VarId> &scope) const;

private:
  struct ExactFactor {
    const Factor *factor = nullptr;
    std::vector<ExactNumber> values; ///< 0 instead of -infinity
    std::vector<char> infinite;
  };

  void addFactor(const Factor &factor);
  void chooseVariables();
  void chooseLevels();
  ExactTerm one() const;
  void combine(ExactTerm &term, const ExactFactor &factor) const;

  template <class Emit> void visit(size_t level, ExactTerm term, const Emit &emit) {
    for (const size_t f : levels_[level])
      combine(term, factors_[f]);
    if (term.zero && semiring_.reduce != Reduce::Min)
      return; // adds nothing to a sum, is the greatest of none
    if (level == variables_.size())
      return emit(term);
    const VarId v = variables_[level];
    for (uint32_t s = 0; s < model_.variable(v).extent; ++s) {
      at_[v.index()] = s;
      visit(level + 1, term, emit);
    }
  }

  const Model &model_;
  const Query &query_;
  Semiring semiring_;
  std::vector<uint32_t> at_;
  std::vector<ExactFactor> factors_;
  std::vector<VarId> variables_;
  std::vector<std::vector<size_t>> levels_; ///< factors by the number of variables before them
};

} // namespace mpf::oracle
