// The invariants of a bundle, on which every executor relies without further checks.
#pragma once

#include "codegen/bundle/bundle.h"

namespace mpf {

/// Throws Error(BadInput) with the first broken rule; a bundle that passes can be run without an
/// access outside its arenas. Rules:
/// - indices in range; extents at least 1; observed states inside their domains;
/// - buffers aligned, inside their arena; while a buffer is needed no other one overlaps it;
/// - operations read only inputs and earlier results; 1..kMaxBundleOperands operands; every offset
///   inside its buffer; the result's strides cover its buffer exactly once;
/// - chains keep the rules of verify_chains.h;
/// - scopes and layouts have distinct variables and fit the tables' and buffers' sizes;
/// - one kind of combine in all operations.
void verifyBundle(const Bundle &bundle);

} // namespace mpf
