// The predicted cost of a tile on a multiprocessor: the greater of the cycles in which its
// schedulers issue instructions and the cycles in which its shared memory moves data.
#pragma once

#include "codegen/bundle/lanes/lane_image.h"
#include "codegen/emit/lanes/teams/team_operation.h"

#include <cstdint>
#include <vector>

namespace mpf {

class TileCost {
public:
  /// `isShared` marks, by slot, tables that all cases share. The arguments must outlive the object.
  TileCost(const TeamOperation &operation, const std::vector<char> &isShared, ElementType type);

  uint64_t extent(size_t keptDigit) const { return operation_.slots.digits[keptDigit].extent; }
  /// Returns, by kept digit, its extent if a later pass reduces it, else 1.
  std::vector<uint64_t> leastCuts() const;

  /// Whether a thread has registers for a tile. `cuts` holds, by kept digit, the number of its
  /// values within a tile.
  bool fits(const std::vector<uint64_t> &cuts) const;
  /// Returns the cycles of all tiles.
  double cycles(const std::vector<uint64_t> &cuts) const;

private:
  struct Work {
    double instructions = 0, wavefronts = 0;
  };

  /// Returns the number of values, within a tile, of the kept digits that move slot `slot`.
  uint64_t entriesOf(const std::vector<uint64_t> &cuts, size_t slot) const;
  /// Returns the number of values of the kept digits that `pass` still has.
  uint64_t entriesIn(const std::vector<uint64_t> &cuts, size_t pass) const;
  /// Returns the number of terms of the first pass for which slot `slot` has different entries.
  double termsOf(size_t slot) const;
  void addPass(const std::vector<uint64_t> &cuts, size_t pass, Work &work) const;

  const TeamOperation &operation_;
  const std::vector<char> &isShared_;
  const uint64_t words_, vectorElems_;
  const size_t kept_;
  std::vector<size_t> reducedBy_; ///< by digit
};

} // namespace mpf
