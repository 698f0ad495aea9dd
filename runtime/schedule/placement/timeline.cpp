#include "runtime/schedule/placement/timeline.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {

/// Returns the indices of each superstep, ascending.
std::vector<std::vector<uint32_t>> bySuperstep(const std::vector<uint32_t> &superstepOf,
                                               size_t count) {
  std::vector<std::vector<uint32_t>> lists(count);
  for (uint32_t i = 0; i < superstepOf.size(); ++i)
    lists[superstepOf[i]].push_back(i);
  return lists;
}

/// A table that crosses.
struct Crossing {
  const PlacedTable *table;
  DeviceId from, to;
};

/// Adds the bars of a placement, one superstep after the other.
class TimelineBuilder {
public:
  TimelineBuilder(const PlacementSite &site, Timeline &line)
      : site_(site), line_(line), isUsed_(site.devices.size(), 0) {}

  void begin(uint32_t superstep) {
    superstep_ = superstep;
    deviceUs_.assign(site_.devices.size(), line_.endUs);
    linkUs_.assign(site_.links.size(), line_.endUs);
    isBusy_.assign(site_.devices.size(), 0);
  }

  void addTask(const PlacementTask &task, DeviceId device) {
    const size_t place = site_.at(device);
    add(deviceUs_[place], task.us[place],
        {.device = device, .first = task.first, .count = task.count});
    isBusy_[place] = 1;
  }

  void addCopies(const std::vector<Crossing> &copies) {
    const size_t count = site_.devices.size();
    for (size_t link = 0; link < linkUs_.size(); ++link)
      linkUs_[link] = deviceUs_[link / count];
    for (const Crossing &copy : copies)
      if (!waitsForAll(copy))
        addCopy(copy);
    const double allUs = std::max(std::ranges::max(deviceUs_), std::ranges::max(linkUs_));
    std::ranges::fill(linkUs_, allUs);
    for (const Crossing &copy : copies)
      if (waitsForAll(copy))
        addCopy(copy);
    double statesUs = 0; // of the tables that go to a GPU
    for (const Crossing &copy : copies)
      if (!copy.from.isGpu())
        statesUs = std::max(statesUs, site_.link(copy.from, copy.to).us);
    line_.endUs = std::ranges::max(linkUs_) + statesUs;
  }

  void addWaits() {
    double endUs = line_.endUs;
    for (size_t place = 1; place < isBusy_.size(); ++place) {
      if (isBusy_[place] == 0)
        continue;
      double atUs = line_.endUs;
      add(atUs, site_.devices[place].superstepUs, {.device = site_.devices[place].id});
      endUs = std::max(endUs, atUs);
      if (std::exchange(isUsed_[place], 1) == 0)
        line_.openUs += site_.devices[place].openUs;
    }
    line_.endUs = endUs;
  }

  void addTraceback(const TracebackPart &part) {
    const size_t steps = part.steps.size();
    add(line_.endUs, site_.devices[site_.at(part.device)].trace.timeUs(steps),
        {.device = part.device, .tracedSteps = static_cast<uint32_t>(steps)});
  }

private:
  void add(double &atUs, double timeUs, TimelineBar bar) {
    bar.superstep = superstep_;
    bar.startUs = atUs;
    bar.endUs = atUs += timeUs;
    line_.bars.push_back(bar);
  }

  static bool waitsForAll(const Crossing &copy) {
    return !copy.from.isGpu() && !copy.table->isAlone;
  }

  void addCopy(const Crossing &copy) {
    add(linkUs_[site_.at(copy.from) * site_.devices.size() + site_.at(copy.to)],
        site_.link(copy.from, copy.to).copyUs(copy.table->bytes),
        {.device = copy.from,
         .to = copy.to,
         .table = copy.table->buffer,
         .bytes = copy.table->bytes});
  }

  const PlacementSite &site_;
  Timeline &line_;
  std::vector<char> isUsed_; ///< by place: whether the device worked in any superstep
  uint32_t superstep_ = 0;
  std::vector<double> deviceUs_, linkUs_; ///< by place, and as PlacementSite::links: ends so far
  std::vector<char> isBusy_;              ///< by place: whether the device works in the superstep
};

} // namespace

Timeline timelineOf(const PlacementTasks &tasks, const std::vector<DeviceId> &devices,
                    const std::vector<uint32_t> &supersteps, const PlacementSite &site) {
  Timeline line;
  if (supersteps.empty())
    return line;
  const size_t count = *std::max_element(supersteps.begin(), supersteps.end()) + 1;
  std::vector<std::vector<Crossing>> copies(count);
  for (const PlacedTable &table : tasks.tables)
    for (const DeviceId to : crossesTo(table, devices))
      copies[supersteps[table.writer]].push_back({&table, devices[table.writer], to});
  const std::vector<std::vector<uint32_t>> tasksOf = bySuperstep(supersteps, count);
  TimelineBuilder builder(site, line);
  for (uint32_t step = 0; step < count; ++step) {
    builder.begin(step);
    for (const uint32_t t : tasksOf[step])
      builder.addTask(tasks.tasks[t], devices[t]);
    builder.addCopies(copies[step]);
    builder.addWaits();
  }
  for (const TracebackPart &part : tracebackParts(tasks.traceback, byOperation(tasks, devices)))
    builder.addTraceback(part);
  return line;
}

} // namespace mpf
