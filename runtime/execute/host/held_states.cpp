#include "runtime/execute/host/held_states.h"

namespace mpf {

std::vector<uint32_t> startsFrom(const Bundle &bundle, std::vector<uint32_t> given) {
  const std::span<const VarId> held = heldVariables(bundle);
  const uint64_t count = heldStateCount(bundle);
  std::vector<uint32_t> starts;
  starts.reserve(count * given.size());
  for (uint64_t number = 0; number < count; ++number) {
    uint64_t rest = number;
    for (size_t i = held.size(); i-- > 0;) {
      const uint32_t extent = bundle.variables[held[i].index()].extent;
      given[held[i].index()] = static_cast<uint32_t>(rest % extent);
      rest /= extent;
    }
    starts.insert(starts.end(), given.begin(), given.end());
  }
  return starts;
}

} // namespace mpf
