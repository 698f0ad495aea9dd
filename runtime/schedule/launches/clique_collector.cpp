#include "runtime/schedule/launches/clique_collector.h"

#include "codegen/bundle/level_split.h"
#include "codegen/bundle/table_driven_shape.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace mpf {

namespace {

constexpr uint32_t kNoGroup = UINT32_MAX; // CliqueCollector::Place
constexpr uint32_t kMostSteps = 2;        ///< steps of a block for one level of a run
constexpr uint32_t kMostLevels = 256;     ///< levels of a run: to look through them takes time
constexpr uint64_t kMostRounds = 4;       ///< rounds of blocks in which a level may run
/// Least addresses of a block if a level runs in rounds: computing them takes ten times as long as
/// starting the block.
constexpr uint64_t kRoundAddresses = 8 * kLevelBlockAddresses;

LevelStep blockStep(const LevelTask &task) { return {false, true, {task}}; }

/// Splits an operation by its results. Every block but the last has a whole number of rounds.
void splitOutputs(const LevelTask &whole, uint64_t blocks, LevelMapping &mapping) {
  const uint64_t outputs = whole.outputs.end;
  const uint64_t lanes =
      levelLanes(outputs, whole.terms.end, saturatingMul(blocks, kTableDrivenThreads));
  const uint64_t perRound = kTableDrivenThreads / lanes;
  const uint64_t perBlock = ceilDivide(ceilDivide(outputs, perRound), blocks) * perRound;
  for (uint64_t first = 0; first < outputs; first += perBlock) {
    LevelTask task = whole;
    task.outputs = {first, std::min(first + perBlock, outputs)};
    mapping.blocks.push_back({blockStep(task)});
  }
}

/// Splits an operation by its terms.
void splitTerms(const LevelTask &whole, uint64_t blocks, LevelMapping &mapping) {
  const double addresses =
      static_cast<double>(whole.outputs.end) * static_cast<double>(whole.terms.end);
  const uint64_t perPart = ceilDivide(whole.terms.end, termParts(addresses, blocks));
  for (uint64_t first = 0; first < whole.terms.end; first += perPart) {
    LevelTask task = whole;
    task.terms = {first, std::min(first + perPart, whole.terms.end)};
    mapping.blocks.push_back({blockStep(task)});
  }
}

} // namespace

LevelTask wholeTask(const Bundle &bundle, uint32_t operation) {
  const BundleOperation &of = bundle.operations[operation];
  return {operation, {0, of.keptAddresses()}, {0, of.reducedAddresses()}};
}

LevelMapping mapAlone(const Bundle &bundle, uint32_t operation, uint32_t multiprocessors) {
  const std::vector<LaunchUnit> units = {{operation, 1, {}}};
  CliqueCollector collector(bundle, units, multiprocessors);
  constexpr uint32_t kOnly[] = {0};
  MPF_CHECK(collector.add(kOnly), "operation {} is refused", operation);
  return collector.take();
}

CliqueCollector::CliqueCollector(const Bundle &bundle, const std::vector<LaunchUnit> &units,
                                 uint32_t multiprocessors)
    : bundle_(bundle), units_(units), multiprocessors_(multiprocessors), places_(units.size()) {}

uint64_t CliqueCollector::addressesOf(uint32_t unit) const {
  return bundle_.operations[units_[unit].first].addresses();
}

CliqueCollector::Size CliqueCollector::sizeOf(uint32_t unit, uint64_t blockAddresses) const {
  const uint64_t addresses = addressesOf(unit);
  return addresses <= blockAddresses / kLevelWarps ? Size::Merged
         : addresses <= blockAddresses             ? Size::Block
                                                   : Size::Split;
}

std::vector<CliqueCollector::Joined> CliqueCollector::join(std::span<const uint32_t> level,
                                                           uint64_t blockAddresses) const {
  // Units of the level that depend on one group are joined with it to one group.
  std::vector<uint32_t> root(level.size()); // union-find over units of the level
  const auto rootOf = [&root](uint32_t at) {
    while (root[at] != at)
      at = root[at] = root[root[at]];
    return at;
  };
  std::map<uint32_t, uint32_t> readers; // by group: a unit of the level
  for (uint32_t at = 0; at < level.size(); ++at) {
    root[at] = at;
    for (const uint32_t earlier : units_[level[at]].behind)
      if (places_[earlier].group != kNoGroup) {
        const auto [reader, isNew] = readers.try_emplace(places_[earlier].group, at);
        if (!isNew)
          root[rootOf(at)] = rootOf(reader->second);
      }
  }
  std::vector<Joined> joined;
  std::vector<uint32_t> joinedOf(level.size(), kNoGroup); // by root
  const auto joinedAt = [&](uint32_t at) -> Joined & {
    uint32_t &number = joinedOf[rootOf(at)];
    if (number == kNoGroup) {
      number = static_cast<uint32_t>(joined.size());
      joined.emplace_back().widths.resize(levels_ + 1);
    }
    return joined[number];
  };
  for (uint32_t at = 0; at < level.size(); ++at) {
    Joined &group = joinedAt(at);
    group.units.push_back(level[at]);
    Width &width = group.widths[levels_];
    ++(sizeOf(level[at], blockAddresses) == Size::Merged ? width.merged : width.blocks);
  }
  for (const auto &[group, at] : readers) {
    Joined &into = joinedAt(at);
    into.groups.push_back(group);
    for (size_t i = 0; i < groups_[group].widths.size(); ++i) {
      into.widths[i].merged += groups_[group].widths[i].merged;
      into.widths[i].blocks += groups_[group].widths[i].blocks;
    }
  }
  return joined;
}

/// Returns the measure of size for a level: the least for which all blocks are resident, so that
/// they start and end together. Large blocks run in several rounds, so that the device waits less
/// for the last ones.
uint64_t CliqueCollector::blockAddressesOf(std::span<const uint32_t> level,
                                           uint64_t addresses) const {
  const uint64_t resident = kLevelResidentBlocks * multiprocessors_;
  const uint64_t share = addresses / resident;
  if (share > kRoundAddresses)
    return std::max(share / kMostRounds, kRoundAddresses);
  const auto fills = [&](uint64_t block) {
    uint64_t warps = 0;
    for (const uint32_t unit : level)
      warps += sizeOf(unit, block) == Size::Merged
                   ? 1
                   : kLevelWarps * ceilDivide(addressesOf(unit), block);
    return warps > kLevelWarps * resident;
  };
  uint64_t block = kLevelLeastAddresses;
  while (block < kLevelBlockAddresses && fills(block))
    block *= 2;
  block = std::max(block, share);
  while (share > kLevelBlockAddresses && level.size() < resident / 2 && fills(block))
    block += block / 16;
  return block;
}

bool CliqueCollector::add(std::span<const uint32_t> level) {
  uint64_t addresses = 0, greatest = 0;
  for (const uint32_t unit : level) {
    addresses = saturatingAdd(addresses, addressesOf(unit));
    greatest = std::max(greatest, addressesOf(unit));
  }
  const uint64_t blockAddresses = blockAddressesOf(level, addresses);
  const bool isAlone = greatest > blockAddresses; // an operation is split: blocks would wait
  if (levels_ > 0 &&
      (isAlone || isAlone_ || blockAddresses != blockAddresses_ || levels_ == kMostLevels))
    return false;
  std::vector<Joined> joined = join(level, blockAddresses);
  const auto isWide = [](const Width &width) {
    return width.blocks + ceilDivide(width.merged, kLevelWarps) > kMostSteps;
  };
  if (levels_ > 0)
    for (const Joined &group : joined)
      if (std::any_of(group.widths.begin(), group.widths.end(), isWide))
        return false;
  for (Joined &group : joined)
    enter(std::move(group), blockAddresses);
  blockAddresses_ = blockAddresses;
  isAlone_ = isAlone;
  ++levels_;
  return true;
}

/// Joins units and groups to one group: the largest group takes the others in.
void CliqueCollector::enter(Joined joined, uint64_t blockAddresses) {
  const auto largest =
      std::max_element(joined.groups.begin(), joined.groups.end(), [this](uint32_t a, uint32_t b) {
        return groups_[a].units.size() < groups_[b].units.size();
      });
  const auto into =
      largest == joined.groups.end() ? static_cast<uint32_t>(groups_.size()) : *largest;
  if (into == groups_.size())
    groups_.emplace_back();
  for (const uint32_t group : joined.groups) {
    if (group == into)
      continue;
    for (const uint32_t unit : groups_[group].units) {
      places_[unit].group = into;
      groups_[into].units.push_back(unit);
    }
    groups_[group] = {};
  }
  for (const uint32_t unit : joined.units) {
    places_[unit] = {into, levels_, sizeOf(unit, blockAddresses)};
    groups_[into].units.push_back(unit);
  }
  groups_[into].widths = std::move(joined.widths);
}

void CliqueCollector::split(uint32_t unit, LevelMapping &mapping) const {
  const LevelTask whole = wholeTask(bundle_, units_[unit].first);
  const uint64_t most = kMostRounds * kLevelResidentBlocks * multiprocessors_;
  const uint64_t blocks = std::min(ceilDivide(addressesOf(unit), blockAddresses_), most);
  if (sharesTerms(whole.outputs.end, blocks))
    splitTerms(whole, blocks, mapping);
  else
    splitOutputs(whole, blocks, mapping);
}

/// Returns the steps of one block. Within a level, operations that take the whole block come first.
LevelBlock CliqueCollector::blockOf(std::vector<uint32_t> units) const {
  const auto keyOf = [this](uint32_t unit) {
    return std::tuple(places_[unit].level, places_[unit].size == Size::Merged, unit);
  };
  std::sort(units.begin(), units.end(),
            [&](uint32_t a, uint32_t b) { return keyOf(a) < keyOf(b); });
  LevelBlock block;
  for (size_t i = 0; i < units.size(); ++i) {
    const Place &place = places_[units[i]];
    const LevelTask task = wholeTask(bundle_, units_[units[i]].first);
    const bool begins = i > 0 && places_[units[i - 1]].level != place.level;
    const bool joins = !block.empty() && !begins && !block.back().wholeBlock &&
                       block.back().tasks.size() < kLevelWarps;
    if (place.size != Size::Merged)
      block.push_back(blockStep(task));
    else if (joins)
      block.back().tasks.push_back(task);
    else
      block.push_back({false, false, {task}});
    block.back().barrier = block.back().barrier || begins;
  }
  return block;
}

LevelMapping CliqueCollector::take() {
  MPF_CHECK(levels_ > 0, "no operation was collected");
  LevelMapping mapping;
  std::vector<uint32_t> shared; // units of merged operations that will share a block
  std::vector<uint32_t> merged(levels_, 0);
  const auto flush = [&] {
    if (!shared.empty())
      mapping.blocks.push_back(blockOf(std::exchange(shared, {})));
    std::fill(merged.begin(), merged.end(), 0);
  };
  for (const Group &group : groups_) {
    if (group.units.empty())
      continue;
    if (places_[group.units.front()].size == Size::Split) { // the only one of its group
      split(group.units.front(), mapping);
      continue;
    }
    bool isMerged = true, hasRoom = true;
    for (size_t level = 0; level < group.widths.size(); ++level) {
      isMerged = isMerged && group.widths[level].blocks == 0;
      hasRoom = hasRoom && merged[level] + group.widths[level].merged <= kLevelWarps;
    }
    if (!isMerged) {
      mapping.blocks.push_back(blockOf(group.units));
      continue;
    }
    if (!hasRoom)
      flush();
    for (size_t level = 0; level < group.widths.size(); ++level)
      merged[level] += group.widths[level].merged;
    shared.insert(shared.end(), group.units.begin(), group.units.end());
  }
  flush();
  for (const Group &group : groups_)
    for (const uint32_t unit : group.units)
      places_[unit] = {};
  groups_.clear();
  levels_ = 0;
  return mapping;
}

} // namespace mpf
