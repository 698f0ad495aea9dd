// What a nest plan implies: questions that emitters, the model, the verifier and the interpreter
// ask, answered in one place so that they cannot disagree.
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

/// Source s of a product step: operands first, then steps. Whether its value changes with `axis`.
bool sourceVaries(const NestPlan &plan, uint32_t source, uint32_t axis);
/// How many sum loops (outermost first) are open where the value of `source` is loaded or formed:
/// 0 = before all of them, sum axes count = in the innermost body.
uint32_t loopDepth(const NestPlan &plan, uint32_t source);
/// Staging: a thread loads its share of a segment before the barrier and holds it in registers when
/// it has at most kHeldBytes; a larger share is copied after the barrier, so many bytes at a time:
inline constexpr uint64_t kHeldBytes = 128;
inline constexpr uint64_t kCopiedBytes = 192;
/// kCopiedBytes, and the accumulators' as well where none is live: a segment whose page does not
/// change with a reduced digit is fetched before they start.
uint64_t copiedBytes(const NestPlan &plan, const Segment &segment);
/// What a thread holds of its operand is words of bits.
bool holdsWords(const NestPlan &plan, const Segment &segment);
/// Buffers of a Shared segment: the contents in use and those that `stages` brings in ahead.
uint64_t bufferCount(const NestPlan &plan, const Segment &segment);
/// How `threads` share out the fetch of a segment where they divide evenly into its fetchParts: for
/// each part the values told apart by the thread number, the rest is a loop. Empty: unevenly.
std::vector<uint64_t> dealtOut(const Segment &segment, uint64_t threads);
/// Whether the sums can be fed by asynchronous copies, which write zeros for what lies outside a
/// guarded digit and convert nothing: plain numbers, not packed, and where a reduced digit is
/// guarded a reduction to which a zero adds nothing.
bool copiesSuffice(const NestPlan &plan);

/// The source that is reduced into the accumulators: the last step, or the only operand.
uint32_t reducedSource(const NestPlan &plan);

/// A vector access covers `count` consecutive indices of `axis`; spans are listed from stride 1 up
/// and the product of their counts is the vector width.
struct AxisSpan {
  uint32_t axis = 0;
  uint64_t count = 1;
};
/// The axes that one fragment load covers; empty when fragmentVector is 1.
std::vector<AxisSpan> vectorSpan(const NestPlan &plan, const Segment &segment);
/// The register axes that one store covers; empty when storeVector is 1.
std::vector<AxisSpan> storeSpan(const NestPlan &plan);
/// The same for a width that the plan does not have (yet).
std::vector<AxisSpan> storeSpan(const NestPlan &plan, uint32_t width);

std::string_view kindName(NestKind kind);         ///< "stream", "tile"
std::string_view roleName(AxisRole role);         ///< "block", "page", "thread", "register", "sum"
std::string_view placementName(Placement placed); ///< "shared", "bypass", "registers"

} // namespace mpf
