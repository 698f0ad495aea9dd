// LAUNCH PLAN: the launches of a GPU for a bundle, in order, as plain data. The executor decides
// one thing: whether a chain that is not proven exact runs as one kernel. A sliced program has each
// launch once. The executor repeats it for every pass of its operations' loop. A pass is one slice
// or, in a bundle with replicas, several (slices/replicate_slices.h).
// `--emit=schedule --device gpu` prints the plan.
//
// Each operation runs in one of these ways:
//   - specialised: a launch of the operation's linear kernel. Where the ranges of the inputs do not
//     prove linear arithmetic exact, a fallback follows: a level of all such operations. It
//     computes in logarithms what the kernels refused. The fallback may be a phase of a launch of
//     levels. An operation with a kernel, within such a launch, means its fallback;
//   - level: one launch computes many operations by the table-driven level kernel. Levels and
//     fallbacks bring results back to linear form, except large ones (kLevelNormalisedElems). If
//     linear arithmetic is not proven exact, a normalisation follows for these;
//   - chain: one launch computes all operations of the chain, if linear arithmetic is exact for all
//     of them. Where that is not proven, the host reads the ranges that earlier operations recorded
//     and decides. The launches of the single operations follow for the other case.
// Scales and ranges: codegen/bundle/table_state.h. Which launches may overlap: launch_window.h.
//
// A plan may assume that linear arithmetic is exact. It then has none of these fallbacks,
// normalisations and decisions; the assumption is tested afterwards (linear_assumption.h).
//
// Order of launches: a *level* is a set of operations none of which needs another
// (operation_levels.h); launches are in the order of levels, not of the bundle. Only operations of
// one *stretch* change places: those between two changes of the loop.
//
// A launch of kind Level has a mapping vector: which team of threads computes which part. It is the
// list I of the cliques of each block in ICPP'10, Algorithm 1. The paper calls something else
// mapping vector (section 4.3.3): the offsets of a separator's variables in a clique's table.
//
// Small operations are merged: a warp computes each, and eight share a block. Others have a block.
// Large ones are split among several blocks, by their results or, if these are few, by their terms.
// One launch computes several narrow levels: a block continues with operations that depend on its
// results only. The Clique Collector makes mapping vectors (clique_collector.h).
//
// A *resident* launch has several phases. A block may need results of any block in an earlier
// phase. So its blocks wait for each other, and the device must hold all of them at once
// (join_levels.h). A device-wide counter for each phase counts the blocks that have ended their
// part of it. A block begins its part of the next phase when all have. By induction all earlier
// phases have ended then too. A block without a part of a phase neither waits nor counts.
//
// Blocks of a launch: specialised kernels and chains have the grid of their kernel plan
// (codegen/kernel/plan/kernel_header.h), which is part of the bundle. Levels and fallbacks have the
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

/// The arithmetic of a launch.
enum class LaunchArithmetic {
  Always,    ///< that of its kernel, unchecked: proven exact, plain values, or logarithms
  Assumed,   ///< linear, tested afterwards (linear_assumption.h)
  IfExact,   ///< linear where it is exact; else the launch does nothing
  IfInexact, ///< logarithms where linear arithmetic is not exact; else the launch does nothing
  Either,    ///< the kernel decides, operation by operation
  Log,       ///< logarithms for all ranges
};

/// Addresses [first, end) of an operation's results, or of the terms of each result.
struct AddressRange {
  uint64_t first = 0, end = 0;
  bool operator==(const AddressRange &) const = default;
};

/// An entry of the mapping vector: the part of an operation that one team computes. A warp computes
/// a whole operation. Blocks that share an operation have different outputs, or all outputs and
/// different terms.
struct LevelTask {
  uint32_t operation = 0; ///< index into Bundle::operations
  AddressRange outputs, terms;
  bool operator==(const LevelTask &) const = default;
};

/// A step of a block: one task for the whole block, or up to kLevelWarps tasks for a warp each.
struct LevelStep {
  bool barrier = false; ///< whether the block waits for its earlier steps: a new level begins
  bool wholeBlock = false;
  std::vector<LevelTask> tasks;
  /// The phase; it ascends in a block. The first step of a phase waits until all blocks have ended
  /// the phase before.
  uint32_t phase = 0;
  bool operator==(const LevelStep &) const = default;
};

using LevelBlock = std::vector<LevelStep>;

/// The mapping vector of a launch.
struct LevelMapping {
  std::vector<LevelBlock> blocks;
  bool operator==(const LevelMapping &) const = default;
};

/// Returns the number of phases. Every block must have steps.
inline uint32_t phasesOf(const LevelMapping &mapping) {
  uint32_t last = 0;
  for (const LevelBlock &block : mapping.blocks)
    last = std::max(last, block.back().phase);
  return last + 1;
}

struct Launch {
  LaunchKind kind = LaunchKind::Level;
  uint32_t first = 0; ///< the least operation, as an index into Bundle::operations
  uint32_t count = 1; ///< number of operations; those of a chain are consecutive
  LaunchArithmetic arithmetic = LaunchArithmetic::Always;
  /// The time at which it waits for earlier launches: Begin unless its kernel contains the wait.
  WaitPoint wait = WaitPoint::Begin;
  uint64_t gridBlocks = 1; ///< number of blocks (see above)
  uint32_t mapping = 0;    ///< if isMapped(kind): index into LaunchPlan::mappings

  bool operator==(const Launch &) const = default;
};

struct LaunchPlan {
  /// Launches by stretch and level; those of one operation in the order described above.
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
