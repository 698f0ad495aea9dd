// NEST PLAN (families `stream` and `tile`): one operation of the table program as a loop nest.
//
// The terms generalise those of ICS'08 (section 5):
//   axis            a digit or a part of one, with the role it plays in the loop nest
//   cache tag       the axes that vary inside one cache page: thread, register and sum axes
//   cache page tag  the others: block and page axes
//   segment         the entries of one operand for one page, and where they are kept
//   page validity   a segment is refetched only when a page axis of its scope changes
//
// The kernel that a plan describes:
//
//   block axes <- blockIdx.x (mixed radix, last axis fastest)
//   thread axes <- threadIdx.x (mixed radix, last axis fastest)
//   for page axes over kept digits:                 outer pages: other outputs
//     acc[register axes] = identity
//     for page axes over reduced digits:            inner pages: same outputs, next terms
//       stages = 1: refetch the shared segments that became invalid (barrier before and after)
//       stages > 1: wait for their copies (one barrier) and start the copies of a later page,
//         spread over the outermost sum loop
//       for sum axes (most significant first; unrolled by their factor):
//         load fragments; form `products` step by step; reduce into acc
//     store acc (guarded where a digit is not covered exactly)
//
// Fragments are loaded and products are formed in the outermost sum loop in which all axes they
// depend on have their value; `loopDepth` in kernel_shape.h says which one.
#pragma once

#include "codegen/kernel/form/digit_form.h"
#include "codegen/kernel/plan/kernel_header.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mpf {

/// The family of a nest plan.
enum class NestKind {
  Stream, ///< bound by device memory: one pass, vector accesses, no shared segments
  Tile,   ///< reuses entries: register tile, shared segments, hoisted products
};

enum class AxisRole { Block, Page, Thread, Register, Sum };

/// A digit or a part of one: digit value = sum over its axes of index * step. A digit whose axes
/// cover more values than its extent is *guarded*: loads and stores outside its extent are skipped,
/// and terms outside a reduced digit's extent are not reduced. The latter shortens a loop for all
/// threads alike: reduced digits have no thread axes, so threads never diverge.
struct Axis {
  std::string name; ///< unique in the plan and an identifier: "d2_t"
  AxisRole role = AxisRole::Block;
  DigitId digit;
  uint64_t extent = 1;
  uint64_t step = 1;
  uint32_t unroll = 1; ///< Sum axes: unroll factor of the loop
};

enum class Placement {
  Shared,    ///< staged in shared memory, padded strides
  Bypass,    ///< read through L1/L2 where it is used (capacity rule, or no reuse)
  Registers, ///< loaded once per thread and page, before the sum loops, which are fully unrolled
};

/// One factor of the mixed-radix number that numbers the vectors of a Shared segment's fetch.
struct FetchPart {
  uint32_t axis = 0;   ///< one of the segment's tagAxes
  uint64_t extent = 1; ///< this part runs 0..extent
  uint64_t step = 1;   ///< axis index += part index * step
};

struct Segment {
  uint32_t operand = 0; ///< index into form.operands
  Placement placement = Placement::Bypass;
  std::vector<uint32_t> tagAxes;      ///< axes of the cache tag in scope, most significant first
  std::vector<uint64_t> stridesElems; ///< Shared: padded stride of each tag axis in the segment
  uint64_t sizeElems = 0;             ///< product of the tag extents: entries per page
  uint64_t allocatedElems = 0;        ///< Shared: size of one buffer, with padding
  uint64_t offsetElems = 0;           ///< Shared: start of its buffers in shared memory
  std::vector<uint32_t> pageAxes;     ///< page axes in scope: a change of one means a refetch
  uint64_t lifetimePages = 1;         ///< consecutive pages that share the segment's contents
  /// Elements per load of a fragment. More than 1: consecutive elements along register axes
  /// (Registers: and sum axes; `vectorSpan` in kernel_shape.h says which), aligned, all inside or
  /// all outside a guarded extent.
  uint32_t fragmentVector = 1;
  /// Shared: vector number n in mixed radix over these parts, last fastest; thread t fetches
  /// vectors t, t + T, t + 2T, .. with T threads. The elements of a vector follow the entry that n
  /// names, along the axis whose global stride is 1.
  std::vector<FetchPart> fetchParts;
  /// Elements per global load while staging. They are stored as one vector too where that axis has
  /// stride 1 in the segment, else one at a time.
  uint32_t fetchVector = 1;
  /// Shared: the promise that every warp request to this segment (fragment loads, staging stores)
  /// takes one wavefront per phase; verify_nest and the SIMT checker prove it.
  bool conflictFree = false;
};

/// One multiplication of the hoisted products (hoist_products.h): value = left * right, formed for
/// each index of `registerAxes`, the register axes that either factor varies over. `left` and
/// `right` are *sources*: of m operands, sources 0 .. m-1 are their fragments, and source m + k is
/// the value of step k. The last step's value (or the only operand) is reduced into the
/// accumulators.
struct ProductStep {
  uint32_t left = 0;
  uint32_t right = 0;
  std::vector<uint32_t> registerAxes;
};

struct NestPlan : KernelHeader {
  NestKind kind = NestKind::Stream;
  DigitForm form;
  std::vector<Axis> axes; ///< grouped by role in the order of AxisRole, most significant first
  std::vector<Segment> segments; ///< one per operand, in operand order
  std::vector<ProductStep> products;
  /// Pages in flight. With 1, a page is fetched between two barriers. With n > 1, its copies to
  /// shared memory are asynchronous and begin n - 1 pages ahead. A segment then has several buffers
  /// (bufferCount in kernel_shape.h) and uses them in turn.
  uint32_t stages = 1;
};

inline PlanKind kindOf(const NestPlan &plan) {
  return {static_cast<uint64_t>(plan.kind), plan.launch.blockThreads};
}

} // namespace mpf
