// SHADOW MEMORY: for every word of a memory, the last accesses and their moments.
#pragma once

#include "runtime/simt/block_order.h"
#include "runtime/simt/report.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mpf::simt {

/// Pending: a store that has begun but is not complete (cp.async).
enum class AccessKind { Load, Store, Atomic, Pending };

/// The shadow of one stretch of memory in words of `grainBytes`. access() adds faults to its
/// report; races have the kind `raceKind`. `order` must outlive the shadow.
class Shadow {
public:
  Shadow(std::string name, size_t bytes, size_t grainBytes, FaultKind raceKind,
         const BlockOrder &order);
  /// Bytes of host memory for each byte of the memory that is watched.
  static constexpr size_t bytesPerByte(size_t grainBytes) { return sizeof(Word) / grainBytes; }
  /// Forgets all accesses: for the shared memory of the next block.
  void clear();
  void access(uint32_t site, const Moment &now, size_t offset, uint32_t bytes, AccessKind kind,
              bool mustBeWritten, Report &report);

private:
  struct Word {
    Moment store, load;
    Moment otherLoad;    ///< the last load by another thread than `load`
    Moment blockLoad;    ///< the last load by another block than `load`
    bool atomic = false; ///< the last store was an atomic operation
  };
  void touch(Word &word, uint32_t site, const Moment &now, size_t offset, AccessKind kind,
             Report &report) const;
  bool unordered(const Moment &before, const Moment &now) const;

  std::string name_;
  size_t grainBytes_;
  FaultKind raceKind_;
  const BlockOrder *order_;
  std::vector<Word> words_;
};

} // namespace mpf::simt
