// How many elements one load or store instruction may move: at most 16 bytes, aligned, wholly
// inside or wholly outside every guarded extent.
#pragma once

#include "codegen/kernel/plan/nest_plan.h"

namespace mpf {

/// Widest allowed fragment load of a segment whose strides are set; 1 if none.
uint32_t widestFragment(const NestPlan &plan, const Segment &segment);
/// Widest allowed staging load of a Shared segment along the axis of global stride 1.
uint32_t widestFetch(const NestPlan &plan, const Segment &segment);
uint32_t widestStore(const NestPlan &plan);

/// What the three above guarantee, for one width; used by the verifier too.
bool fragmentAllowed(const NestPlan &plan, const Segment &segment, uint32_t width);
bool fetchAllowed(const NestPlan &plan, const Segment &segment, uint32_t width);
bool storeAllowed(const NestPlan &plan, uint32_t width);

} // namespace mpf
