// LAUNCH PLAN: the launches of a GPU for a bundle, in order, as plain data. The executor decides
// one thing: whether a chain that is not proven exact runs as one kernel. In a sliced program each
// launch stands here once, and the executor repeats it for every pass of its operations' loop, of
// one slice or, in a bundle with replicas, of several (slices/replicate_slices.h).
// `--emit=schedule --device gpu` prints the plan.
//
// Each operation runs in one of these ways:
//   - specialised: a launch of its own linear kernel. Where the ranges of the inputs do not prove
//     linear arithmetic exact, a fallback follows, which computes in logarithms what the kernel
//     refused: a level of all such operations. It may be a phase of a launch of levels: there an
//     operation that has a kernel stands for its fallback;
//   - level: one launch computes many operations by the table-driven level kernel.
//     Levels and fallbacks bring results back to linear form themselves, but for large ones
//     (kLevelNormalisedElems), behind which a normalisation follows where linear arithmetic is not
//     proven exact;
//   - chain: one launch computes all operations of the chain, if linear arithmetic is exact for all
//     of them. Where that is not proven, the host reads the ranges that earlier operations recorded
//     and decides; the launches of the single operations follow for the other case.
// Scales and ranges: codegen/bundle/table_state.h. Which launches may overlap: launch_window.h.
//
// A plan that assumes linear arithmetic to be exact has none of these fallbacks, normalisations and
// decisions: the executor looks afterwards whether it was (linear_assumption.h).
//
// Order of launches: a *level* is a set of operations none of which needs another
// (operation_levels.h); launches are in the order of levels, not of the bundle. Only operations of
// one *stretch* change places: those between two changes of the loop.
//
// A launch of kind Level has a mapping vector: which team of threads does what. It is the list I of
// the cliques of each block that ICPP'10, Algorithm 1 makes; what that paper calls mapping vector
// (section 4.3.3) are the offsets of a separator's variables in a clique's table. Small operations
// are merged, a warp each, eight to a block; others have a block; large ones are split among
// several blocks, by their results or, if these are few, by their terms. Where levels are narrow,
// one launch does several: a block goes on to what depends on its own results alone. Made by the
// Clique Collector (clique_collector.h).
//
// A *resident* launch has several phases: what a block does in one may need results of any block in
// those before. Its blocks wait for each other, so the device must hold all of them at once
// (join_levels.h). Device-wide counters, one for each phase, count the blocks that have ended their
// part of it; a block that has a part of the next phase begins that when all have. By induction all
// earlier phases have ended then too. A block without a part of a phase neither waits nor counts.
//
// Blocks of a launch: specialised kernels and chains have the grid of their kernel plan
// (codegen/kernel/plan/kernel_header.h), which the bundle carries; levels and fallbacks have the
// blocks of their mapping vector. A normalisation has a thread for each result, but at most 8
// blocks for each multiprocessor; the blocks then loop.
#pragma once

#include "codegen/bundle/kernel_interface.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace mpf {

enum class LaunchKind { Specialised, Fallback, Normalise, Level, Chain };

/// Whether launches of this kind have a mapping vector.
inline bool isMapped(LaunchKind kind) {
  return kind == LaunchKind::Level || kind == LaunchKind::Fallback;
}

/// Which arithmetic a launch uses.
enum class LaunchArithmetic {
  Always,    ///< its kernel's, unchecked: proven exact, plain values, or logarithms throughout
  Assumed,   ///< linear, looked at afterwards (linear_assumption.h)
  IfExact,   ///< linear where it is exact; else the launch does nothing
  IfInexact, ///< logarithms where linear arithmetic is not exact; else the launch does nothing
  Either,    ///< the kernel decides, operation by operation
  Log,       ///< logarithms, whatever the ranges
};

/// Addresses [first, end) of an operation's results, or of the terms of each result.
struct AddressRange {
  uint64_t first = 0, end = 0;
  bool operator==(const AddressRange &) const = default;
};

/// An entry of the mapping vector: what one team does. A warp does all of an operation. Blocks that
/// share an operation have different outputs, or all outputs and different terms.
struct LevelTask {
  uint32_t operation = 0; ///< index into Bundle::operations
  AddressRange outputs, terms;
  bool operator==(const LevelTask &) const = default;
};

/// What a block does at a time: one task by the whole block, or up to kLevelWarps by a warp each.
struct LevelStep {
  bool barrier = false; ///< a new level begins: the block waits for its earlier steps
  bool wholeBlock = false;
  std::vector<LevelTask> tasks;
  /// Ascends in a block. The first step of a phase but phase 0 waits for the end of the phase
  /// before in all blocks.
  uint32_t phase = 0;
  bool operator==(const LevelStep &) const = default;
};

using LevelBlock = std::vector<LevelStep>;

/// The mapping vector of a launch.
struct LevelMapping {
  std::vector<LevelBlock> blocks;
  bool operator==(const LevelMapping &) const = default;
};

/// Every block has steps.
inline uint32_t phasesOf(const LevelMapping &mapping) {
  uint32_t last = 0;
  for (const LevelBlock &block : mapping.blocks)
    last = std::max(last, block.back().phase);
  return last + 1;
}

struct Launch {
  LaunchKind kind = LaunchKind::Level;
  uint32_t first = 0; ///< index into Bundle::operations; where it is mapped, the least
  uint32_t count = 1; ///< operations; of a chain: consecutive ones
  LaunchArithmetic arithmetic = LaunchArithmetic::Always;
  /// When it waits for earlier launches. Begin unless its kernel itself contains the wait.
  WaitPoint wait = WaitPoint::Begin;
  uint64_t gridBlocks = 1; ///< see above
  uint32_t mapping = 0;    ///< where it is mapped: index into LaunchPlan::mappings

  bool operator==(const Launch &) const = default;
};

struct LaunchPlan {
  /// By stretch, level by level; launches of one operation in the order described above.
  std::vector<Launch> launches;
  std::vector<LevelMapping> mappings; ///< in the order of their launches

  /// Whether the host must read recorded ranges between launches. Then the launches cannot become
  /// one CUDA graph.
  bool hostDecides() const {
    for (const Launch &launch : launches)
      if (launch.kind == LaunchKind::Chain && launch.arithmetic == LaunchArithmetic::IfExact)
        return true;
    return false;
  }
  bool operator==(const LaunchPlan &) const = default;
};

} // namespace mpf
