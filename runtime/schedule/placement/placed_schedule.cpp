#include "runtime/schedule/placement/placed_schedule.h"

#include "dsl/support/check.h"
#include "runtime/schedule/build_schedule.h"
#include "runtime/schedule/placement/placed_traceback.h"

#include <algorithm>
#include <functional>
#include <set>
#include <tuple>

namespace mpf {

namespace {

/// The tables that cross between devices, by the superstep of their writer.
class Crossings {
public:
  Crossings(const Bundle &bundle, const TaskPlacement &placement,
            const std::vector<uint32_t> &supersteps)
      : copies_(supersteps.empty() ? 1
                                   : *std::max_element(supersteps.begin(), supersteps.end()) + 1) {
    std::vector<uint32_t> writer(bundle.buffers.size(), kNone);
    const auto read = [&](BufferId buffer, DeviceId reader) {
      const uint32_t from = writer[buffer.index()];
      if (bundle.buffer(buffer).input) {
        if (reader.isGpu())
          inputs_.insert({DeviceId::cpu(), reader, buffer.value});
      } else if (from != kNone && placement.devices[from] != reader) {
        copies_[supersteps[from]].insert({placement.devices[from], reader, buffer.value});
      }
    };
    for (uint32_t i = 0; i < bundle.operations.size(); ++i) {
      for (const BundleAccess &access : bundle.operations[i].operands)
        read(access.buffer, placement.devices[i]);
      writer[bundle.operations[i].result.buffer.index()] = i;
    }
    for (const BundleOutput &output : bundle.outputs)
      read(output.buffer, DeviceId::cpu());
    const std::vector<TracedStep> traced = tracedSteps(bundle);
    for (size_t i = 0; i < traced.size(); ++i)
      for (const BundleTraceback::Table &table : bundle.traceback[i].tables)
        read(table.buffer, placement.devices[traced[i].operation]);
  }

  size_t supersteps() const { return copies_.size(); }
  void addInputs(Schedule &schedule) const { add(inputs_, schedule); }
  /// Copies from the last device come first, so that those of the CPU come last.
  void addCopies(size_t superstep, Schedule &schedule) const { add(copies_[superstep], schedule); }

private:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct TableCopy {
    DeviceId from, to;
    uint32_t buffer = 0;
    bool operator<(const TableCopy &other) const {
      return std::tie(other.from, to, buffer) < std::tie(from, other.to, other.buffer);
    }
  };

  static void add(const std::set<TableCopy> &copies, Schedule &schedule) {
    for (const TableCopy &copy : copies)
      schedule.steps.push_back({StepKind::Copy, copy.from, copy.buffer, copy.to});
  }

  std::set<TableCopy> inputs_;
  std::vector<std::set<TableCopy>> copies_;
};

} // namespace

Schedule placedSchedule(const Bundle &bundle, const TaskPlacement &placement,
                        const std::vector<uint32_t> &supersteps) {
  MPF_CHECK(placement.devices.size() == bundle.operations.size() &&
                supersteps.size() == bundle.operations.size(),
            "{} devices and {} supersteps for {} operations", placement.devices.size(),
            supersteps.size(), bundle.operations.size());
  // The CPU comes last: the others are started before it works.
  const std::set<DeviceId, std::greater<>> devices(placement.devices.begin(),
                                                   placement.devices.end());
  Schedule schedule;
  const Crossings crossings(bundle, placement, supersteps);
  crossings.addInputs(schedule);
  for (size_t superstep = 0; superstep < crossings.supersteps(); ++superstep) {
    for (const DeviceId device : devices)
      addRuns(
          bundle, device,
          [&](uint32_t i) { return placement.devices[i] == device && supersteps[i] == superstep; },
          schedule);
    crossings.addCopies(superstep, schedule);
    schedule.steps.push_back({StepKind::EndSuperstep});
  }
  return schedule;
}

} // namespace mpf
