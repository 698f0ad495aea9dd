// NEST: a nest plan (codegen/kernel/plan/nest_plan.h) prepared for printing. It makes no choices;
// it derives from the plan in which loop each load and product stands, the strides of each address,
// and which entries one vector access moves.
//
// The loops, outermost first: page axes over kept digits (outer pages), page axes over reduced
// digits (inner pages), sum axes. *Depth* d is the place inside the first d loops. A load stands at
// the depth of the last loop that changes its address, so that no entry is read again without need.
#pragma once

#include "codegen/emit/nest/fragment.h"
#include "codegen/kernel/plan/nest_plan.h"

#include <string>
#include <vector>

namespace mpf {

/// An axis of the plan with more than one value.
struct NestAxis {
  std::string name;
  AxisRole role = AxisRole::Block;
  size_t digit = 0;
  uint64_t extent = 1;
  uint64_t step = 1;     ///< digit values per index
  uint32_t unroll = 1;   ///< of a sum loop; equal to extent: unrolled whole
  bool unrolled = false; ///< register axes, and sum axes unrolled whole
};

/// One operand or the result. Strides are in elements, indexed by nest axis; 0 when the axis does
/// not change the address.
struct NestTable {
  std::string name; ///< "f", "g", ...; "result"
  Placement placement = Placement::Bypass;
  std::vector<uint64_t> globalStrides;
  std::vector<uint64_t> sharedStrides;
  uint64_t offsetElems = 0; ///< Shared: start of the segment's first buffer
  uint64_t buffers = 1;     ///< Shared: bufferCount() of allocatedElems each
  uint64_t allocatedElems = 0;
  uint32_t fetchVector = 1;
  bool packed = false;        ///< global memory holds one bit per entry
  std::vector<size_t> guards; ///< guarded digits in its scope
  Fragment fragment;
  size_t loadDepth = 0;  ///< depth at which its fragment is loaded
  size_t scopeDepth = 0; ///< least depth at which all its axes have a value
  size_t pageDepth = 0;  ///< Shared: depth at which its segment is refetched

  bool isShared() const { return placement == Placement::Shared; }
  bool isWords() const { return packed && !isShared(); } ///< a thread holds words of packed bits
  bool moves(size_t axis) const { return globalStrides[axis] != 0; }
  bool inSegment(size_t axis) const { return sharedStrides[axis] != 0; }
  /// Strides in the memory that its fragment is read from.
  const std::vector<uint64_t> &readStrides() const {
    return isShared() ? sharedStrides : globalStrides;
  }
};

/// One of the hoisted products (ProductStep in nest_plan.h).
struct NestStep {
  std::string name;  ///< "fg"
  uint32_t left = 0; ///< value numbers as in ProductStep
  uint32_t right = 0;
  std::vector<size_t> axes; ///< register axes that the product varies over
  size_t depth = 0;         ///< depth at which it is formed
};

struct Nest {
  const NestPlan *plan = nullptr; ///< must outlive the nest
  std::vector<NestAxis> axes;
  std::vector<uint64_t> extents; ///< extents[i] is the extent of axes[i]
  std::vector<NestTable> operands;
  NestTable result;
  std::vector<NestStep> steps;
  std::vector<size_t> blockAxes, threadAxes, registerAxes;
  std::vector<size_t> loops;        ///< outer pages, inner pages, sum axes
  size_t outerPages = 0;            ///< loops[0, outerPages)
  size_t pages = 0;                 ///< loops[outerPages, pages) are inner pages
  std::vector<GuardedDigit> guards; ///< per digit; extent 0: covered exactly
  uint64_t activeThreads = 1;       ///< product of the thread extents
  bool wideLoops = false;           ///< some table has 2^31 entries or more

  bool isGuarded(size_t digit) const { return guards[digit].extent != 0; }
  /// One more than the position of `axis` in loops; 0 for other axes.
  size_t depthOf(size_t axis) const;
  size_t axisNamed(const std::string &name) const; ///< must exist
};

/// Prepares `plan`, which must outlive the result. Throws an internal error when the plan breaks a
/// rule that the text relies on; a plan that findFault (verify_nest.h) accepts breaks none.
Nest buildNest(const NestPlan &plan);

} // namespace mpf
