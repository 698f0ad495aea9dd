#include "runtime/schedule/transfers/transfer_use.h"

#include "runtime/schedule/launches/launch_use.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace mpf {

namespace {

/// The launch that wrote each byte of the work arena last.
class LastWrites {
public:
  void note(const ByteRange &range, uint32_t launch) {
    if (range.begin == range.end)
      return;
    const auto begin = cutAt(range.begin), end = cutAt(range.end);
    begin->second = launch;
    stretches_.erase(std::next(begin), end);
  }

  std::optional<uint32_t> last(const ByteRange &range) const {
    std::optional<uint32_t> found; // none compares as less than any launch
    auto at = stretches_.upper_bound(range.begin);
    if (at != stretches_.begin())
      --at;
    for (; at != stretches_.end() && at->first < range.end; ++at)
      found = std::max(found, at->second);
    return found;
  }

private:
  /// Stretches of bytes, by their first byte; each ends where the next begins.
  using Stretches = std::map<uint64_t, std::optional<uint32_t>>;

  Stretches::iterator cutAt(uint64_t byte) {
    const auto next = stretches_.lower_bound(byte);
    if (next != stretches_.end() && next->first == byte)
      return next;
    std::optional<uint32_t> launch;
    if (next != stretches_.begin())
      launch = std::prev(next)->second;
    return stretches_.emplace_hint(next, byte, launch);
  }

  Stretches stretches_ = {{0, std::nullopt}};
};

} // namespace

std::vector<uint32_t> resultsOf(const Bundle &bundle, const LaunchPlan &plan,
                                const Launch &launch) {
  if (launch.kind == LaunchKind::Chain)
    return {bundle.operations[launch.first + launch.count - 1].result.buffer.value};
  std::vector<uint32_t> results;
  for (const uint32_t operation : operationsOf(plan, launch))
    results.push_back(bundle.operations[operation].result.buffer.value);
  return results;
}

TransferUse transferUse(const Bundle &bundle, const LaunchPlan &plan) {
  const size_t count = bundle.buffers.size();
  TransferUse use{std::vector<std::optional<uint32_t>>(count),
                  std::vector<std::optional<uint32_t>>(count)};
  LastWrites writes;
  std::vector<char> isComputed(count, 0);
  for (uint32_t i = 0; i < plan.launches.size(); ++i) {
    const Launch &launch = plan.launches[i];
    for (const uint32_t operation : operationsOf(plan, launch))
      for (const BundleAccess &access : bundle.operations[operation].operands)
        if (auto &first = use.firstReader[access.buffer.index()];
            !first && bundle.buffer(access.buffer).input)
          first = i;
    for (const uint32_t result : resultsOf(bundle, plan, launch))
      isComputed[result] = 1;
    for (const ByteRange &range : useOf(bundle, plan, launch).writes)
      writes.note(range, i);
  }
  for (size_t i = 0; i < count; ++i) {
    const BundleBuffer &buffer = bundle.buffers[i];
    if (isComputed[i] != 0)
      use.lastWriter[i] = writes.last(
          {buffer.offsetBytes,
           buffer.offsetBytes + bufferBytes(buffer.sizeElems, bundle.type, bundle.signedValues)});
  }
  return use;
}

} // namespace mpf
