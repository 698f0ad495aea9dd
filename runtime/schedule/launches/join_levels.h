// JOINED LEVELS: consecutive launches of levels as one *resident* launch. Its blocks are on the
// device all at once, so they may wait for each other. Each launch becomes a phase (launch_plan.h),
// and a wait within the launch replaces the end of one launch and the beginning of the next. A
// phase with more blocks than are resident is folded: a block has several of its parts, one after
// the other. Tasks do not change, and neither does any bit of the results.
//
// Launches are joined where that is predicted to pay (level_time.h). A wait costs less than a
// launch, but folded phases use fewer blocks.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/schedule/launches/launch_plan.h"
#include "runtime/schedule/launches/level_time.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace mpf {

/// The launches that are joined.
enum class JoinLevels {
  Auto, ///< launches for which it is predicted to pay
  Off,
  On, ///< all launches that can be joined
};
/// Indexed by enumerator.
inline constexpr std::array<std::string_view, 3> kJoinLevelsWords = {"auto", "off", "on"};
/// Returns the enumerator of a word. Throws Error(Usage) for unknown words.
JoinLevels joinLevelsNamed(std::string_view word);

struct JoinOptions {
  JoinLevels which = JoinLevels::Auto;
  /// Blocks of the level kernel that the device holds at once; 0: none may wait for another one.
  uint64_t residentBlocks = 0;
  LevelSpeed speed;
};

/// Joins launches, and returns the mapping vectors of the new launches, in order. `launches`:
/// mapping vectors of consecutive launches, each with one phase. Takes time proportional to their
/// tasks.
std::vector<LevelMapping> joinLevels(const Bundle &bundle, std::vector<LevelMapping> launches,
                                     const JoinOptions &options);

} // namespace mpf
