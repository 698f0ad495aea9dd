// Lays small results apart. Results that share memory force an order on operations that are
// otherwise independent. With separate memory, operations of one level can run side by side
// (launches/operation_levels.h).
#pragma once

#include "codegen/bundle/bundle.h"

#include <vector>

namespace mpf {

/// Greatest memory for results beyond the bundle's work arena, including the tables of further
/// replicas of slices (slices/choose_replicas.h).
inline constexpr uint64_t kApartBytes = uint64_t{32} << 20;

/// Returns the bundle with another layout of the work arena. Results, the smallest first, get
/// separate memory after the planned arena, up to `apartBytes` in all. The other results stay
/// where they are.
Bundle layApart(Bundle bundle, uint64_t apartBytes = kApartBytes);

/// Returns one flag per buffer: whether it is a result that shares no memory with other results.
std::vector<char> aloneResults(const Bundle &bundle);

} // namespace mpf
