// Lays small results apart: memory that is used again keeps operations in the order that the bundle
// plans it for, where nothing else does. With memory of their own, those of one level can run side
// by side (operation_levels.h).
#pragma once

#include "codegen/bundle/bundle.h"

#include <vector>

namespace mpf {

/// The most that results get in addition to the bundle's work arena, with those of further replicas
/// of slices (slices/choose_replicas.h).
inline constexpr uint64_t kApartBytes = uint64_t{32} << 20;

/// The bundle with another layout of the work arena: results, the smallest first, each have memory
/// of their own behind the planned arena, up to `apartBytes` in all. The others stay where they
/// are.
Bundle layApart(Bundle bundle, uint64_t apartBytes = kApartBytes);

/// One flag per buffer: a result whose memory no other result has. Until it is computed, and as
/// long as it is needed, nothing else touches that.
std::vector<char> aloneResults(const Bundle &bundle);

} // namespace mpf
