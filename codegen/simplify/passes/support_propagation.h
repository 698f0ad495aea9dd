// SUPPORT PROPAGATION: which states can still be part of an assignment of non-zero value, as far as
// every factor alone can tell: generalised arc consistency over the factors' supports (Mackworth
// 1977; Dechter, "Constraint Processing" 2003, section 3.5). It never looks at a non-zero value.
#pragma once

#include "codegen/simplify/state/edit_domains.h"
#include "codegen/simplify/state/simplify_state.h"

#include <cstdint>
#include <vector>

namespace mpf {

class SupportPropagation {
public:
  /// Both must outlive it. Every domain starts complete. Of the functions below only hasZeros may
  /// be called if that is false.
  SupportPropagation(const SimplifyState &problem, const Incidence &incidence);

  /// False: no known factor has a zero, nothing can follow from anything.
  bool hasZeros() const;
  /// Looks at every factor until nothing changes any more, or the work is spent: what was taken
  /// away until then has no support. False: a domain became empty.
  bool propagateAll();
  /// Leaves `id` the one state and follows the consequences. False: a domain became empty.
  bool assume(VarId id, uint32_t state);
  /// Takes one state away and follows the consequences.
  bool refute(VarId id, uint32_t state);

  /// Takes back everything since the trail had this length.
  size_t trailLength() const { return trail_.size(); }
  void undo(size_t trailLength);

  const std::vector<uint32_t> &states(VarId id) const { return states_[id.index()]; }
  /// Entries looked at so far. Bounded by a constant times the network's entries: a factor is
  /// looked at again for every state that a neighbour lost, so the fixpoint may take entries x
  /// states.
  uint64_t work() const { return work_; }
  /// Empty lists for variables that kept all their states.
  DomainMasks masks() const;

private:
  struct Change {
    VarId variable;
    std::vector<uint32_t> before;
  };

  bool propagate();
  bool visit(uint32_t factor);
  void scan(const SimplifyFactor &factor);
  bool shrink(VarId id, std::vector<uint32_t> left, uint32_t cause);

  const SimplifyState &problem_;
  const Incidence &incidence_;
  std::vector<char> hasZeros_; ///< per factor: some entry is zero
  std::vector<std::vector<uint32_t>> states_;
  std::vector<Change> trail_;
  std::vector<uint32_t> queue_; ///< factors to look at, first in first out
  size_t head_ = 0;
  std::vector<char> queued_;
  uint64_t work_ = 0;
  uint64_t mostWork_ = 0;                    ///< above it no further factor is looked at
  std::vector<std::vector<char>> supported_; ///< of the factor in hand: per axis, per place
};

} // namespace mpf
