#include "runtime/execute/host/interleave_memory.h"

#include <algorithm>
#include <climits>
#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace mpf {

bool interleaveMemory(const AlignedMemory &memory, std::span<const unsigned> nodes) {
  constexpr uint64_t kWorthInterleaving = uint64_t{8} << 20;
  if (nodes.size() < 2 || memory.sizeBytes() < kWorthInterleaving)
    return false;
  constexpr size_t kBits = sizeof(unsigned long) * CHAR_BIT;
  std::vector<unsigned long> mask(std::ranges::max(nodes) / kBits + 1, 0);
  for (const unsigned node : nodes)
    mask[node / kBits] |= 1UL << (node % kBits);
  // + 1, because the kernel reads one bit less than the given number.
  return ::syscall(SYS_mbind, memory.data(), memory.sizeBytes(), MPOL_INTERLEAVE, mask.data(),
                   mask.size() * kBits + 1, 0U) == 0;
}

} // namespace mpf
