// CLIQUE COLLECTOR (ICPP'10, section 4): collects the operations of one level, or of a run of
// narrow levels, for one launch, and makes its mapping vector.
//
// The paper's size rule merges what is below half of the mean size and splits what is above twice
// the mean. Here the measure is not the mean but what a block should have at least
// (kLevelBlockAddresses), or, in a level that fills the device, the share of each block that is
// resident, of a large one a quarter of it: on a device of a hundred multiprocessors a level hardly
// ever has as many operations, and the mean of a few large ones would leave most of it idle. An
// operation up to an eighth of that measure is merged: a warp does it beside others. One above it
// is split.
//
// A run of narrow levels is one launch if no block has to wait for another one: operations that
// depend on each other stand in one block, which takes at most kMostSteps steps for a level. A
// launch more costs as much as some steps. Where blocks may wait, launches are joined afterwards
// (join_levels.h).
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/schedule/launches/launch_plan.h"
#include "runtime/schedule/launches/operation_levels.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

/// Belongs to one stretch. Not thread-safe; bundle and units must outlive it.
class CliqueCollector {
public:
  CliqueCollector(const Bundle &bundle, const std::vector<LaunchUnit> &units,
                  uint32_t multiprocessors);

  /// Adds the units of the next level, each a single operation, to the run; false, and nothing is
  /// added, if one launch cannot do that.
  bool add(std::span<const uint32_t> level);
  bool isEmpty() const { return levels_ == 0; }
  /// The mapping vector of the run; the next one is empty. The run must not be.
  LevelMapping take();

private:
  enum class Size { Merged, Block, Split };
  /// What operations take in one level.
  struct Width {
    uint32_t merged = 0, blocks = 0;
  };
  /// Operations of the run that depend on each other.
  struct Group {
    std::vector<uint32_t> units;
    std::vector<Width> widths; ///< by level of the run
  };
  /// A group that the next level makes of its units and groups of the run.
  struct Joined {
    std::vector<uint32_t> units, groups;
    std::vector<Width> widths;
  };
  struct Place {
    uint32_t group = UINT32_MAX; ///< none: not in the run
    uint32_t level = 0;          ///< of the run
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
  std::vector<Group> groups_;   ///< of the run; those that were joined to another one are empty
  uint32_t levels_ = 0;         ///< of the run
  uint64_t blockAddresses_ = 0; ///< the measure of size
  bool isAlone_ = false;        ///< the run is one level with split operations
};

/// All of an operation, as one task.
LevelTask wholeTask(const Bundle &bundle, uint32_t operation);

/// The mapping vector of a launch that computes one operation.
LevelMapping mapAlone(const Bundle &bundle, uint32_t operation, uint32_t multiprocessors);

} // namespace mpf
