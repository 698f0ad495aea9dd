// The part of verifyBundle that walks through time: definitions before uses, no overlap in memory.
#pragma once

#include "codegen/bundle/bundle.h"

namespace mpf {

/// Throws Error(BadInput) when an operation reads a result that no earlier operation has written,
/// when a buffer has two writers, or when two buffers that are needed at the same time share
/// bytes of an arena. Expects the other rules of verifyBundle to hold.
void verifyLifetimes(const Bundle &bundle);

} // namespace mpf
