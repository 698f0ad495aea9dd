#include "runtime/execute/cpu/entry_lists.h"

#include <limits>

namespace mpf {

EntryList EntryList::of(std::span<const LoopDigit> digits, size_t slots) {
  size_t first = digits.size();
  uint64_t count = 1;
  std::array<uint64_t, kMaxSlots> last{}; // offsets of the last address
  for (; first > 0; --first) {
    const LoopDigit &digit = digits[first - 1];
    bool fits = count * digit.extent <= kMostAddresses;
    for (size_t s = 0; fits && s < slots; ++s)
      fits =
          digit.strides[s] <= std::numeric_limits<uint32_t>::max() / kMostAddresses &&
          last[s] + (digit.extent - 1) * digit.strides[s] <= std::numeric_limits<uint32_t>::max();
    if (!fits)
      break;
    count *= digit.extent;
    for (size_t s = 0; s < slots; ++s)
      last[s] += (digit.extent - 1) * digit.strides[s];
  }
  EntryList list;
  list.outer.assign(digits.begin(), digits.begin() + static_cast<std::ptrdiff_t>(first));
  list.count = static_cast<uint32_t>(count);
  list.offsets.reserve(count * slots);
  DigitLoop loop(digits.subspan(first), slots);
  do {
    for (size_t s = 0; s < slots; ++s)
      list.offsets.push_back(static_cast<uint32_t>(loop.offset(s)));
  } while (loop.next());
  return list;
}

} // namespace mpf
