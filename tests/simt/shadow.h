// Shadow memory: who touched every 4-byte word last, and when.
#pragma once

#include "tests/simt/report.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mpf::simt {

/// One CUDA thread at one moment. Two moments of a block are ordered when a barrier lies between
/// them (epoch), or a warp operation and both are in one warp (warpEpoch).
struct Moment {
  uint32_t block = UINT32_MAX;
  uint32_t thread = 0;
  uint32_t epoch = 0;
  uint32_t warpEpoch = 0;

  bool valid() const { return block != UINT32_MAX; }
};

enum class AccessKind { Load, Store, Atomic };

/// Shadow of one stretch of memory. Faults go to `report`; races are reported with `kind`.
class Shadow {
public:
  Shadow(std::string name, size_t bytes, FaultKind raceKind);
  /// Forgets everything: shared memory of the next block.
  void clear();
  void access(uint32_t site, const Moment &now, size_t offset, uint32_t bytes, AccessKind kind,
              bool mustBeWritten, Report &report);

private:
  struct Word {
    Moment store, load, otherLoad;
    bool atomic = false; ///< the last store was an atomic operation
  };
  void touch(Word &word, uint32_t site, const Moment &now, size_t offset, AccessKind kind,
             Report &report) const;

  std::string name_;
  FaultKind raceKind_;
  std::vector<Word> words_;
};

} // namespace mpf::simt
