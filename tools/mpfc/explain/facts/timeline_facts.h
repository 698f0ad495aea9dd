// The time line of the chosen placement, with names, and its text.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/schedule/placement/place_tasks.h"
#include "tools/mpfc/explain/facts/facts.h"

#include <map>
#include <string>
#include <vector>

namespace mpf {

/// Returns the time line. `bundle`: the one that was placed; `bucketOf`: buckets by the names of
/// their operations.
TimelineFacts timelineFacts(const Bundle &bundle, const PlacementChoice &choice,
                            const std::string &gpu, const std::map<std::string, size_t> &bucketOf);

/// Returns a title: "1.25 ms by --schedule greedy, behind 460 ms of opening sm_90".
std::string timelineTitle(const QueryExplanation &query);

/// Draws how busy a lane is, in `cells` equal parts of the time: '#' if it is busy for more than
/// half of one, '-' for less, ' ' for none of it.
std::string laneText(const TimelineFacts &timeline, uint32_t lane, size_t cells);
/// Returns the share of the time in which a lane is busy.
double busyShare(const TimelineFacts &timeline, uint32_t lane);

/// Returns the `most` longest bars, in the order of their starts.
FactTable longestBars(const QueryExplanation &query, size_t most);

} // namespace mpf
