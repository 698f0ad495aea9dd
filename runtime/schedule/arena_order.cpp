#include "runtime/schedule/arena_order.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

namespace mpf {

namespace {

/// Users of some bytes of the arena: the operation that wrote them last, and those that have read
/// them since.
struct Users {
  std::optional<uint32_t> writer;
  std::vector<uint32_t> readers;
};

class ArenaHistory {
public:
  explicit ArenaHistory(const Bundle &bundle) : bundle_(bundle) {}

  std::vector<uint32_t> take(uint32_t index) {
    const BundleOperation &operation = bundle_.operations[index];
    std::vector<uint32_t> behind;
    for (const BundleAccess &access : operation.operands)
      visit(access, [&](Users &users) {
        if (users.writer)
          behind.push_back(*users.writer);
        users.readers.push_back(index);
      });
    visit(operation.result, [&](Users &users) {
      if (users.writer)
        behind.push_back(*users.writer);
      behind.insert(behind.end(), users.readers.begin(), users.readers.end());
      users.writer = index;
      users.readers.clear();
    });
    std::sort(behind.begin(), behind.end());
    behind.erase(std::unique(behind.begin(), behind.end()), behind.end());
    std::erase(behind, index);
    return behind;
  }

private:
  /// Stretches of bytes, by their first byte; each ends where the next begins.
  using Stretches = std::map<uint64_t, Users>;

  /// Returns the stretch that begins at `byte`; cuts one if there is none.
  Stretches::iterator cutAt(uint64_t byte) {
    const auto next = stretches_.lower_bound(byte);
    if (next != stretches_.end() && next->first == byte)
      return next;
    Users users;
    if (next != stretches_.begin())
      users = std::prev(next)->second;
    return stretches_.emplace_hint(next, byte, std::move(users));
  }

  template <class Visit> void visit(const BundleAccess &access, const Visit &each) {
    const BundleBuffer &buffer = bundle_.buffer(access.buffer);
    const uint64_t bytes = bufferBytes(buffer.sizeElems, bundle_.type, bundle_.signedValues);
    if (buffer.input || bytes == 0)
      return; // inputs are in another arena, which no operation writes
    const auto begin = cutAt(buffer.offsetBytes), end = cutAt(buffer.offsetBytes + bytes);
    for (auto at = begin; at != end; ++at)
      each(at->second);
  }

  const Bundle &bundle_;
  Stretches stretches_;
};

} // namespace

std::vector<std::vector<uint32_t>> arenaOrder(const Bundle &bundle, const std::vector<char> &runs) {
  ArenaHistory history(bundle);
  std::vector<std::vector<uint32_t>> behind(bundle.operations.size());
  for (uint32_t i = 0; i < behind.size(); ++i)
    if (runs.empty() || runs[i] != 0)
      behind[i] = history.take(i);
  return behind;
}

} // namespace mpf
