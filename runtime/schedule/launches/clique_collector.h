// CLIQUE COLLECTOR (ICPP'10, section 4): collects the operations of one level, or of a run of
// narrow levels, for one launch, and makes its mapping vector.
//
// The paper merges operations below half of the mean size and splits those above twice the mean.
// On a device of a hundred multiprocessors a level hardly ever has that many operations, and the
// mean of a few large ones would leave most of the device idle. So the measure of size is another:
// the least work of a block (kLevelBlockAddresses). In a level that fills the device it is the
// share of each resident block, and of a large share a quarter. An operation up to an eighth of the
// measure is merged: a warp computes it beside others. An operation above the measure is split.
//
// A run of narrow levels is one launch if no block has to wait for another. Operations that depend
// on each other are then in one block, which has at most kMostSteps steps for a level, because a
// further launch costs as much as some steps. Launches whose blocks may wait for each other are
// joined afterwards (join_levels.h).
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/schedule/launches/launch_plan.h"
#include "runtime/schedule/launches/operation_levels.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

/// Collects the launches of one stretch. Not thread-safe; bundle and units must outlive it.
class CliqueCollector {
public:
  CliqueCollector(const Bundle &bundle, const std::vector<LaunchUnit> &units,
                  uint32_t multiprocessors);

  /// Adds the units of the next level, each a single operation, to the run. Returns false, and adds
  /// nothing, if that needs another launch.
  bool add(std::span<const uint32_t> level);
  bool isEmpty() const { return levels_ == 0; }
  /// Returns the mapping vector of the run, which must not be empty, and begins an empty run.
  LevelMapping take();

private:
  enum class Size { Merged, Block, Split };
  /// Numbers of operations of a group in one level: those that take a warp, and those that take a
  /// block.
  struct Width {
    uint32_t merged = 0, blocks = 0;
  };
  /// Operations of the run that depend on each other.
  struct Group {
    std::vector<uint32_t> units;
    std::vector<Width> widths; ///< by level of the run
  };
  /// A group of units of the next level, with the groups of the run that they depend on.
  struct Joined {
    std::vector<uint32_t> units, groups;
    std::vector<Width> widths;
  };
  struct Place {
    uint32_t group = UINT32_MAX; ///< none: not in the run
    uint32_t level = 0;          ///< number of the level in the run
    Size size = Size::Merged;
  };

  uint64_t addressesOf(uint32_t unit) const;
  uint64_t blockAddressesOf(std::span<const uint32_t> level, uint64_t addresses) const;
  Size sizeOf(uint32_t unit, uint64_t blockAddresses) const;
  std::vector<Joined> join(std::span<const uint32_t> level, uint64_t blockAddresses) const;
  void enter(Joined joined, uint64_t blockAddresses);
  void split(uint32_t unit, LevelMapping &mapping) const;
  LevelBlock blockOf(std::vector<uint32_t> units) const;

  const Bundle &bundle_;
  const std::vector<LaunchUnit> &units_;
  const uint32_t multiprocessors_;
  std::vector<Place> places_;   ///< by unit
  std::vector<Group> groups_;   ///< groups of the run; empty: it was joined to another group
  uint32_t levels_ = 0;         ///< number of levels in the run
  uint64_t blockAddresses_ = 0; ///< the measure of size, in addresses
  bool isAlone_ = false;        ///< whether the run is one level with split operations
};

/// Returns an operation as one task.
LevelTask wholeTask(const Bundle &bundle, uint32_t operation);

/// Returns the mapping vector of a launch that computes one operation.
LevelMapping mapAlone(const Bundle &bundle, uint32_t operation, uint32_t multiprocessors);

} // namespace mpf
