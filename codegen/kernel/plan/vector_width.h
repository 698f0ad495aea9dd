// How many elements one load or store instruction may move: at most 16 bytes, aligned, wholly
// inside or wholly outside every guarded extent.
#pragma once

#include "codegen/kernel/plan/nest_plan.h"

namespace mpf {

/// Widest allowed fragment load of a segment whose strides are set; 1 if no vector is allowed.
uint32_t widestFragment(const NestPlan &plan, const Segment &segment);
/// Widest allowed staging load of a Shared segment along the axis of global stride 1.
uint32_t widestFetch(const NestPlan &plan, const Segment &segment);
/// Widest allowed store of the result.
uint32_t widestStore(const NestPlan &plan);

/// Whether accesses of this width are allowed. The three functions above and the verifier ask
/// these.
bool fragmentAllowed(const NestPlan &plan, const Segment &segment, uint32_t width);
bool fetchAllowed(const NestPlan &plan, const Segment &segment, uint32_t width);
bool storeAllowed(const NestPlan &plan, uint32_t width);

} // namespace mpf
