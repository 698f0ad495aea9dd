#include "runtime/simt/wavefronts.h"

#include "runtime/simt/lane_words.h"

#include <algorithm>

namespace mpf::simt {

namespace {
constexpr unsigned kLanes = LaneWords::kLanes;
constexpr unsigned kBanks = 32;
constexpr unsigned kBankBytes = LaneWords::kWordBytes;

bool active(uint32_t lanes, unsigned lane) { return (lanes >> lane & 1) != 0; }

/// Returns the greatest number of different words that lanes [first, last) want of one bank. 0: no
/// lane is active.
uint64_t worstBank(uint32_t lanes, const std::array<uintptr_t, 32> &addresses, uint32_t bytes,
                   unsigned first, unsigned last) {
  std::array<uint64_t, kBanks> wordsOfBank{};
  LaneWords(lanes, addresses, bytes, first, last).eachQuotient(1, [&](uintptr_t word) {
    ++wordsOfBank[word % kBanks];
  });
  return *std::ranges::max_element(wordsOfBank);
}

/// True if every active lane has the address of its partner `lane ^ bit`, where that is active.
bool pairsAgree(uint32_t lanes, const std::array<uintptr_t, 32> &addresses, unsigned first,
                unsigned last, unsigned bit) {
  for (unsigned lane = first; lane < last; ++lane)
    if (active(lanes, lane) && active(lanes, lane ^ bit) &&
        addresses[lane] != addresses[lane ^ bit])
      return false;
  return true;
}

} // namespace

Wavefronts wavefrontsOf(uint32_t lanes, const std::array<uintptr_t, 32> &addresses,
                        uint32_t bytes) {
  const unsigned phaseLanes = kLanes / std::max(1u, bytes / kBankBytes);
  const unsigned groupLanes = std::min(kLanes, 2 * phaseLanes);
  Wavefronts sum;
  for (unsigned first = 0; first < kLanes; first += groupLanes) {
    Wavefronts group;
    for (unsigned phase = first; phase < first + groupLanes; phase += phaseLanes) {
      const uint64_t taken = worstBank(lanes, addresses, bytes, phase, phase + phaseLanes);
      group.taken += taken;
      group.ideal += taken > 0;
    }
    const unsigned end = first + groupLanes;
    const bool merges =
        pairsAgree(lanes, addresses, first, end, 1) || pairsAgree(lanes, addresses, first, end, 2);
    if (merges && group.taken > 1 && worstBank(lanes, addresses, bytes, first, end) == 1)
      group = {1, 1};
    sum.taken += group.taken;
    sum.ideal += group.ideal;
  }
  return sum;
}

} // namespace mpf::simt
