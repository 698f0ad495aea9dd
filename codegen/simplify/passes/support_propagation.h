// Finds which states can still be part of an assignment of non-zero value, as far as every factor
// alone can tell. This is generalised arc consistency over the factors' supports (Mackworth 1977;
// Dechter, "Constraint Processing" 2003, section 3.5). It only matters whether an entry is zero.
#pragma once

#include "codegen/simplify/state/edit_domains.h"
#include "codegen/simplify/state/simplify_state.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

/// The domains of all variables while zeros are propagated. Not thread-safe.
class SupportPropagation {
public:
  /// Both arguments must outlive this, unchanged; the semiring must have a zero. Every domain
  /// starts complete. If hasZeros() is false, no other function may be called.
  SupportPropagation(const SimplifyState &state, const Incidence &incidence);

  /// False: no known factor has a zero, so nothing can be propagated.
  bool hasZeros() const;
  /// Propagates from every factor until nothing changes, or the bound on the work is reached: the
  /// states removed until then have no support. False: a domain became empty.
  bool propagateAll();
  /// Leaves `id` only this state, and propagates that. False: a domain became empty.
  bool assume(VarId id, uint32_t state);
  /// Removes one state of `id`, and propagates that. False: a domain became empty.
  bool refute(VarId id, uint32_t state);

  /// The number of changes so far that undo() can take back.
  size_t trailLength() const { return trail_.size(); }
  /// Undoes all changes since the trail had this length.
  void undo(size_t trailLength);

  /// The states that `id` has left, ascending. Valid until the next change.
  std::span<const uint32_t> states(VarId id) const {
    const List list = lists_[id.index()];
    return std::span(listed_).subspan(list.first, list.count);
  }
  /// Number of entries read so far. It is bounded by about a constant times the network's entries.
  /// Without the bound it might become entries x states, because a factor is read again whenever a
  /// neighbour has lost states.
  uint64_t work() const { return work_; }
  /// The states that are left, with empty lists for variables that kept all their states.
  DomainMasks masks() const;

private:
  /// The states that a variable has left, in listed_.
  struct List {
    size_t first = 0;
    uint32_t count = 0;
  };

  struct Change {
    VarId variable;
    List before;
  };

  /// A variable of the factor that is being visited. A place is an index into its states.
  struct Axis {
    const uint32_t *states = nullptr; ///< states that are left
    uint32_t count = 0;               ///< number of states that are left
    uint32_t place = 0;               ///< place of the present row
    uint64_t stride = 0;              ///< stride in the factor's table
    uint32_t missing = 0;             ///< places without support
    size_t supported = 0;             ///< its first place in supported_
  };

  /// The entries of a factor as bits, one for each entry of at most 64.
  struct Bits {
    uint64_t nonZero = 0;
    size_t first = 0; ///< place in slices_ of the first state of the first axis
  };

  bool propagate();
  bool visit(uint32_t factor);
  /// Adds the bits of a factor of at most 64 entries that has zeros.
  void addBits(uint32_t factor);
  /// Does what visit() does for a factor that has bits, by operations on whole tables.
  bool visitBits(uint32_t factor);
  /// Leaves `id` the states from listed_[first] on, which have support in a factor.
  bool keepSupported(VarId id, size_t first, uint32_t factor);
  /// Sets axes_ to those of the scope. Returns the number of their places.
  size_t layOutAxes(const std::vector<VarId> &scope);
  /// Finds the places of axes_ that have support. Returns the number of those that have none.
  size_t scan(const SimplifyFactor &factor);
  /// Goes to the next row of the first `outer` axes, and moves the offset `base` of its entries;
  /// false after the last one.
  bool nextRow(size_t outer, uint64_t &base);
  /// Leaves `id` the states from listed_[first] on.
  bool shrink(VarId id, size_t first, uint32_t cause);

  const SimplifyState &state_;
  const Incidence &incidence_;
  std::vector<char> hasZeros_;   ///< by factor: some entry is zero
  std::vector<Bits> bits_;       ///< by factor; no bit is set where the entries are read one by one
  std::vector<uint64_t> slices_; ///< by factor, axis and state: the entries with this state
  std::vector<List> lists_;      ///< by variable
  std::vector<uint32_t> listed_; ///< the lists of each change stand behind those of earlier ones
  std::vector<Change> trail_;
  std::vector<uint32_t> queue_; ///< factors to look at, first in first out
  size_t head_ = 0;
  std::vector<char> queued_;
  uint64_t work_ = 0;
  uint64_t mostWork_ = 0;       ///< work from which on no further factor is read
  std::vector<Axis> axes_;      ///< axes of the factor being visited, in the order of its scope
  std::vector<char> supported_; ///< by axis and place: the place has an entry that is not zero
};

} // namespace mpf
