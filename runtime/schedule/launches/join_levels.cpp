#include "runtime/schedule/launches/join_levels.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <span>

namespace mpf {

namespace {

/// Makes launches the phases of one launch.
LevelMapping fold(std::span<const LevelMapping> launches, uint64_t residentBlocks) {
  LevelMapping folded;
  for (size_t phase = 0; phase < launches.size(); ++phase) {
    const std::vector<LevelBlock> &parts = launches[phase].blocks;
    if (folded.blocks.size() < std::min<uint64_t>(parts.size(), residentBlocks))
      folded.blocks.resize(std::min<uint64_t>(parts.size(), residentBlocks));
    for (size_t i = 0; i < parts.size(); ++i)
      for (LevelStep step : parts[i]) {
        step.phase = static_cast<uint32_t>(phase);
        folded.blocks[i % residentBlocks].push_back(std::move(step));
      }
  }
  return folded;
}

/// Returns, for each launch, whether it is joined to the one before, for the least total time.
/// Dynamic programming: each launch stays alone, begins a resident launch, or continues one.
std::vector<bool> cheapestJoins(const Bundle &bundle, std::span<const LevelMapping> launches,
                                const JoinOptions &options) {
  const LevelSpeed &speed = options.speed;
  const size_t count = launches.size();
  std::vector<bool> joins(count, false);
  if (speed.waitUs >= speed.launchUs)
    return joins; // joining cannot pay
  // Times of all launches up to each: the least one, and the least with it in a resident launch.
  std::vector<double> leastUs(count + 1, 0), residentUs(count + 1, 0);
  std::vector<bool> continues(count, false), isResident(count, false);
  for (size_t i = 0; i < count; ++i) {
    const double aloneUs = phaseUs(workOf(bundle, launches[i])[0], speed);
    const LevelMapping folded = fold(launches.subspan(i, 1), options.residentBlocks);
    const double foldedUs = phaseUs(workOf(bundle, folded)[0], speed);
    const double beginUs = leastUs[i] + speed.launchUs + foldedUs;
    const double goOnUs = residentUs[i] + speed.waitUs + foldedUs;
    continues[i] = i > 0 && goOnUs < beginUs;
    residentUs[i + 1] = continues[i] ? goOnUs : beginUs;
    const double alone = leastUs[i] + speed.launchUs + aloneUs;
    isResident[i] = residentUs[i + 1] < alone;
    leastUs[i + 1] = std::min(residentUs[i + 1], alone);
  }
  bool inside = false; // whether launch i + 1 continues a resident launch
  for (size_t i = count; i-- > 0;) {
    joins[i] = (inside || isResident[i]) && continues[i];
    inside = joins[i];
  }
  return joins;
}

} // namespace

JoinLevels joinLevelsNamed(std::string_view word) {
  const auto at = std::find(kJoinLevelsWords.begin(), kJoinLevelsWords.end(), word);
  if (at == kJoinLevelsWords.end())
    fail(ErrorKind::Usage, "unknown word '{}' for resident launches: auto, off or on", word);
  return static_cast<JoinLevels>(at - kJoinLevelsWords.begin());
}

std::vector<LevelMapping> joinLevels(const Bundle &bundle, std::vector<LevelMapping> launches,
                                     const JoinOptions &options) {
  if (options.which == JoinLevels::Off || options.residentBlocks == 0 || launches.size() < 2)
    return launches;
  const std::vector<bool> joins = options.which == JoinLevels::On
                                      ? std::vector<bool>(launches.size(), true)
                                      : cheapestJoins(bundle, launches, options);
  std::vector<LevelMapping> joined;
  for (size_t first = 0, end = 0; first < launches.size(); first = end) {
    for (end = first + 1; end < launches.size() && joins[end];)
      ++end;
    joined.push_back(end == first + 1 ? std::move(launches[first])
                                      : fold(std::span(launches).subspan(first, end - first),
                                             options.residentBlocks));
  }
  return joined;
}

} // namespace mpf
