// SHARED MEMORY of one block of a simulated launch: its dynamic segment with the arrays in it, the
// static arrays behind, and the shadow of both.
#pragma once

#include "runtime/simt/launch.h"
#include "runtime/simt/report.h"
#include "runtime/simt/shadow.h"

#include <map>
#include <string>
#include <vector>

namespace mpf::simt {

/// `launch`, `order` and `report` must outlive it.
class SharedMemory {
public:
  SharedMemory(const Launch &launch, const BlockOrder &order, Report &report);
  SharedMemory(const SharedMemory &) = delete;
  SharedMemory &operator=(const SharedMemory &) = delete;

  void *dynamicArrays() const { return begin_; }
  /// The static array number `id`: the same one whenever it is asked for.
  void *staticArray(uint32_t id, uint64_t bytes);
  /// Forgets all accesses: the memory is the next block's.
  void clear() { shadow_.clear(); }

  /// Everything near the segment is meant for it.
  bool isNear(const std::byte *at) const;
  /// Records the access, or adds a fault and returns false.
  bool access(uint32_t site, const Moment &now, const std::byte *at, uint32_t bytes,
              AccessKind kind);

private:
  struct Array {
    std::string name;
    std::byte *address;
    uint64_t bytes;
  };

  static constexpr uint64_t kAlign = 256;
  static constexpr uint64_t kNearBytes = 4096;
  static constexpr uint64_t kStaticBytes = 48 * 1024;
  static constexpr size_t kWordBytes = 4;

  const Launch &launch_;
  Report &report_;
  std::vector<std::byte> storage_;
  std::byte *begin_ = nullptr;
  std::vector<Array> arrays_;
  Shadow shadow_;
  std::map<uint32_t, uint64_t> staticOffsets_;
  uint64_t end_ = 0; ///< dynamic and static arrays named so far
};

} // namespace mpf::simt
