// Quantities that follow from a nest plan (nest_plan.h). The emitters, the cost model, the verifier
// and the interpreter all call these functions, so that they cannot disagree.
#pragma once

#include "codegen/kernel/plan/nest_plan.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace mpf {

/// Axes [begin, end) of one role; plan.axes is grouped by role.
struct AxisRange {
  uint32_t begin = 0, end = 0;
  uint32_t size() const { return end - begin; }
};
AxisRange axesOfRole(const NestPlan &plan, AxisRole role);
/// Product of the extents of the axes of a role, saturating.
uint64_t roleExtent(const NestPlan &plan, AxisRole role);

/// True when the axes of `digit` cover more values than its extent.
bool isGuarded(const NestPlan &plan, DigitId digit);

/// Stride of an axis in the global table of `operand` (operands.size() = the result), in elements.
uint64_t globalStride(const NestPlan &plan, size_t operand, uint32_t axis);
/// Stride of an axis where fragments of `segment` are read: shared memory or the global table.
uint64_t fragmentStride(const NestPlan &plan, const Segment &segment, uint32_t axis);

/// Whether the value of a source (ProductStep: operands first, then steps) changes with `axis`.
bool sourceVaries(const NestPlan &plan, uint32_t source, uint32_t axis);
/// How many sum loops (outermost first) are open where the value of `source` is loaded or formed:
/// 0 = before all of them, sum axes count = in the innermost body.
uint32_t loopDepth(const NestPlan &plan, uint32_t source);
/// Staging without pages in flight: a thread whose share of a segment has at most this many bytes
/// loads it into registers before the barrier.
inline constexpr uint64_t kHeldBytes = 128;
/// A larger share is copied after the barrier, this many bytes at a time.
inline constexpr uint64_t kCopiedBytes = 192;
/// How many bytes of a segment a thread copies at a time: kCopiedBytes, plus the registers of the
/// accumulators for a segment whose pages change with no reduced digit. Such a segment is fetched
/// while no accumulator is live.
uint64_t copiedBytes(const NestPlan &plan, const Segment &segment);
/// Whether a thread holds the segment's operand as words of packed bits.
bool holdsWords(const NestPlan &plan, const Segment &segment);
/// Buffers of a Shared segment: one for the contents in use, and one for each contents that is
/// copied ahead (NestPlan::stages).
uint64_t bufferCount(const NestPlan &plan, const Segment &segment);
/// How `threads` threads share out the fetch of a segment: for each of its fetchParts, how many
/// values the thread number tells apart; a thread loops over the rest. Empty where the threads do
/// not divide evenly into the parts.
std::vector<uint64_t> dealtOut(const Segment &segment, uint64_t threads);
/// Whether the segments can be staged by asynchronous copies. Copies convert nothing and write
/// zeros for entries outside a guarded digit. So the plan must be linear, of floating point,
/// without packed Shared operands; and where a reduced digit is guarded, a zero product must not
/// change the reduction.
bool copiesSuffice(const NestPlan &plan);

/// The source that is reduced into the accumulators: the last step, or the only operand.
uint32_t reducedSource(const NestPlan &plan);

/// A vector access covers `count` consecutive indices of `axis`; spans are listed from stride 1 up
/// and the product of their counts is the vector width.
struct AxisSpan {
  uint32_t axis = 0;
  uint64_t count = 1;
};
/// The axes that one fragment load covers; empty when fragmentVector is 1 or no axes span it.
std::vector<AxisSpan> vectorSpan(const NestPlan &plan, const Segment &segment);
/// The register axes that one store covers; empty when storeVector is 1 or no axes span it.
std::vector<AxisSpan> storeSpan(const NestPlan &plan);
/// The same for stores of `width` elements instead of plan.storeVector.
std::vector<AxisSpan> storeSpan(const NestPlan &plan, uint32_t width);

std::string_view kindName(NestKind kind);         ///< "stream", "tile"
std::string_view roleName(AxisRole role);         ///< "block", "page", "thread", "register", "sum"
std::string_view placementName(Placement placed); ///< "shared", "bypass", "registers"

} // namespace mpf
