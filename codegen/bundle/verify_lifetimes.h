// The part of verifyBundle that walks through time: definitions before uses, no overlap in memory.
#pragma once

#include "codegen/bundle/bundle.h"

namespace mpf {

/// Throws Error(BadInput) if an operation reads a result that no earlier operation has written, or
/// if a buffer has two writers. It also throws if two buffers that are needed at the same time
/// share bytes of an arena. Precondition: the other rules of verifyBundle hold.
void verifyLifetimes(const Bundle &bundle);

} // namespace mpf
