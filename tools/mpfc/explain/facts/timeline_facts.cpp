#include "tools/mpfc/explain/facts/timeline_facts.h"

#include "dsl/support/number_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <tuple>

namespace mpf {

namespace {

/// Names the things that the bars of a placement do.
class BarNames {
public:
  BarNames(const Bundle &bundle, const std::string &gpu,
           const std::map<std::string, size_t> &bucketOf)
      : bundle_(bundle), gpu_(gpu), bucketOf_(bucketOf), writer_(bundle.buffers.size(), 0) {
    for (uint32_t i = 0; i < bundle.operations.size(); ++i)
      writer_[bundle.operations[i].result.buffer.index()] = i;
  }

  TimelineBarFacts factsOf(const TimelineBar &bar) const {
    TimelineBarFacts facts;
    facts.operations = bar.count;
    facts.bytes = bar.bytes;
    facts.superstep = bar.superstep;
    facts.startUs = bar.startUs;
    facts.endUs = bar.endUs;
    if (bar.to) {
      const uint32_t writer = writer_[bar.table.index()];
      facts.what = fmt::format("{} to {}", nameOf(writer), bar.to->isGpu() ? gpu_ : "cpu");
      facts.bucket = bucketAt(writer);
    } else if (bar.tracedSteps > 0) {
      facts.what = fmt::format("assignment of {} variables", bar.tracedSteps);
    } else if (bar.count == 0) {
      facts.what = "start and wait";
    } else {
      facts.what = nameOf(bar.first);
      if (bar.count > 1)
        facts.what += " .. " + nameOf(bar.first + bar.count - 1);
      facts.bucket = bucketAt(bar.first);
    }
    return facts;
  }

private:
  const std::string &nameOf(uint32_t operation) const { return bundle_.operations[operation].name; }

  uint32_t bucketAt(uint32_t operation) const {
    const auto bucket = bucketOf_.find(nameOf(operation));
    return bucket == bucketOf_.end() ? TimelineBarFacts::kNone
                                     : static_cast<uint32_t>(bucket->second);
  }

  const Bundle &bundle_;
  const std::string &gpu_;
  const std::map<std::string, size_t> &bucketOf_;
  std::vector<uint32_t> writer_; ///< by buffer: the last operation that writes it
};

/// A device, or a copy between two; devices come first.
using BarLane = std::tuple<bool, DeviceId, DeviceId>;

BarLane laneOf(const TimelineBar &bar) {
  return {bar.to.has_value(), bar.device, bar.to.value_or(bar.device)};
}

std::string laneName(const BarLane &lane, const std::string &gpu) {
  const auto &[isCopy, device, to] = lane;
  if (!isCopy)
    return device.isGpu() ? gpu : "cpu";
  return to.isGpu() ? "upload" : "download";
}

} // namespace

TimelineFacts timelineFacts(const Bundle &bundle, const PlacementChoice &choice,
                            const std::string &gpu, const std::map<std::string, size_t> &bucketOf) {
  TimelineFacts facts;
  std::map<BarLane, uint32_t> lanes;
  for (const TimelineBar &bar : choice.timeline.bars)
    lanes.try_emplace(laneOf(bar));
  for (auto &[lane, number] : lanes) {
    number = static_cast<uint32_t>(facts.lanes.size());
    facts.lanes.push_back(laneName(lane, gpu));
  }
  const BarNames names(bundle, gpu, bucketOf);
  for (const TimelineBar &bar : choice.timeline.bars) {
    facts.bars.push_back(names.factsOf(bar));
    facts.bars.back().lane = lanes.at(laneOf(bar));
  }
  facts.endUs = choice.timeline.endUs;
  facts.openUs = choice.timeline.openUs;
  return facts;
}

std::string timelineTitle(const QueryExplanation &query) {
  std::string title = formatTime(query.timeline.endUs);
  if (query.showsGpu())
    title += fmt::format(" by --schedule {}", query.schedule);
  if (query.timeline.openUs > 0)
    title +=
        fmt::format(", behind {} of opening {}", formatTime(query.timeline.openUs), query.target);
  return title;
}

std::string laneText(const TimelineFacts &timeline, uint32_t lane, size_t cells) {
  std::vector<double> busy(cells, 0); // busy parts of each cell
  const double perUs = static_cast<double>(cells) / timeline.endUs;
  for (const TimelineBarFacts &bar : timeline.bars)
    if (bar.lane == lane) {
      const double start = bar.startUs * perUs, end = bar.endUs * perUs;
      for (size_t c = static_cast<size_t>(start); c < cells && static_cast<double>(c) < end; ++c) {
        const auto cell = static_cast<double>(c);
        busy[c] += std::min(end, cell + 1) - std::max(start, cell);
      }
    }
  std::string text;
  for (const double part : busy)
    text += part > 0.5 ? '#' : part > 0 ? '-' : ' ';
  return text;
}

double busyShare(const TimelineFacts &timeline, uint32_t lane) {
  double sumUs = 0;
  for (const TimelineBarFacts &bar : timeline.bars)
    sumUs += bar.lane == lane ? bar.endUs - bar.startUs : 0;
  return timeline.endUs > 0 ? sumUs / timeline.endUs : 0;
}

FactTable longestBars(const QueryExplanation &query, size_t most) {
  const std::vector<TimelineBarFacts> &bars = query.timeline.bars;
  std::vector<uint32_t> shown(bars.size());
  std::iota(shown.begin(), shown.end(), uint32_t{0});
  const auto timeOf = [&](uint32_t i) { return bars[i].endUs - bars[i].startUs; };
  std::ranges::stable_sort(shown, std::greater(), timeOf);
  shown.resize(std::min(shown.size(), most));
  std::ranges::sort(shown);
  std::ranges::stable_sort(shown, {}, [&](uint32_t i) { return bars[i].startUs; });
  FactTable table;
  table.title = "time line: " + timelineTitle(query);
  table.columns = {"start", "time", "lane", "what"};
  for (const uint32_t i : shown) {
    const TimelineBarFacts &bar = bars[i];
    std::string note;
    if (bar.operations > 1)
      note = fmt::format(" ({} operations)", bar.operations);
    else if (bar.bytes > 0)
      note = fmt::format(" ({})", formatBytes(static_cast<uint64_t>(bar.bytes)));
    table.rows.push_back({formatTime(bar.startUs), formatTime(timeOf(i)),
                          query.timeline.lanes[bar.lane], displayText(bar.what) + note});
  }
  return table;
}

} // namespace mpf
