// JOINED LEVELS: launches of levels that follow each other as one *resident* launch. Its blocks are
// on the device all at once, so they may wait for each other: each launch becomes a phase
// (launch_plan.h), and a wait in the middle of a launch takes the place of the end of one launch
// and the beginning of the next. A phase with more blocks than are resident is folded: a block has
// several of its parts, one after the other. What a task computes stays as it is, and so does every
// bit of the results.
//
// Launches are joined where that is predicted to pay (level_time.h): for a wait instead of a
// launch, phases that are folded lose some of what many blocks gain.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/schedule/launches/launch_plan.h"
#include "runtime/schedule/launches/level_time.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace mpf {

/// Which launches are joined.
enum class JoinLevels {
  Auto, ///< those of which it is predicted to pay
  Off,
  On, ///< all that can be
};
/// Indexed by enumerator.
inline constexpr std::array<std::string_view, 3> kJoinLevelsWords = {"auto", "off", "on"};
/// Throws Error(Usage) for any other word.
JoinLevels joinLevelsNamed(std::string_view word);

struct JoinOptions {
  JoinLevels which = JoinLevels::Auto;
  /// Blocks of the level kernel that the device holds at once; 0: none may wait for another one.
  uint64_t residentBlocks = 0;
  LevelSpeed speed;
};

/// `launches`: mapping vectors of launches that follow each other, each of one phase. Returns those
/// of the launches in their place, in order. Takes time proportional to their tasks.
std::vector<LevelMapping> joinLevels(const Bundle &bundle, std::vector<LevelMapping> launches,
                                     const JoinOptions &options);

} // namespace mpf
