// What a tile costs a multiprocessor: the greater of what its schedulers issue and what its shared
// memory moves, about.
#pragma once

#include "codegen/bundle/lanes/lane_image.h"
#include "codegen/emit/lanes/teams/team_operation.h"

#include <cstdint>
#include <vector>

namespace mpf {

class TileCost {
public:
  /// `isShared`: by slot, tables that all cases share. All must outlive the object.
  TileCost(const TeamOperation &operation, const std::vector<char> &isShared, ElementType type);

  uint64_t extent(size_t keptDigit) const { return operation_.slots.digits[keptDigit].extent; }
  /// By kept digit: its extent where a later pass reduces it, else 1.
  std::vector<uint64_t> leastCuts() const;

  /// `cuts`: by kept digit, its values within a tile. Whether a thread has registers for it.
  bool fits(const std::vector<uint64_t> &cuts) const;
  /// Of all tiles.
  double cycles(const std::vector<uint64_t> &cuts) const;

private:
  struct Work {
    double instructions = 0, wavefronts = 0;
  };

  /// Values of the kept digits that slot `slot` moves by, within a tile.
  uint64_t entriesOf(const std::vector<uint64_t> &cuts, size_t slot) const;
  /// Values of the kept digits that `pass` still has.
  uint64_t entriesIn(const std::vector<uint64_t> &cuts, size_t pass) const;
  /// Terms of the first pass among which slot `slot` differs.
  double termsOf(size_t slot) const;
  void addPass(const std::vector<uint64_t> &cuts, size_t pass, Work &work) const;

  const TeamOperation &operation_;
  const std::vector<char> &isShared_;
  const uint64_t words_, vectorElems_;
  const size_t kept_;
  std::vector<size_t> reducedBy_; ///< by digit
};

} // namespace mpf
