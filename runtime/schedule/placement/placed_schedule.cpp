#include "runtime/schedule/placement/placed_schedule.h"

#include "dsl/support/check.h"
#include "runtime/schedule/build_schedule.h"
#include "runtime/schedule/placement/placed_traceback.h"

#include <algorithm>
#include <set>

namespace mpf {

namespace {

/// The tables that cross between the devices, by the superstep of their writer.
class Crossings {
public:
  Crossings(const Bundle &bundle, const TaskPlacement &placement,
            const std::vector<uint32_t> &supersteps)
      : copies_(supersteps.empty() ? 1
                                   : *std::max_element(supersteps.begin(), supersteps.end()) + 1) {
    std::vector<uint32_t> writer(bundle.buffers.size(), kNone);
    const auto read = [&](BufferId buffer, StepDevice reader) {
      const uint32_t from = writer[buffer.index()];
      if (bundle.buffer(buffer).input) {
        if (reader == StepDevice::Gpu)
          inputs_.insert(buffer.value);
      } else if (from != kNone && placement.devices[from] != reader) {
        auto &list = reader == StepDevice::Cpu ? copies_[supersteps[from]].down
                                               : copies_[supersteps[from]].up;
        list.insert(buffer.value);
      }
    };
    for (uint32_t i = 0; i < bundle.operations.size(); ++i) {
      for (const BundleAccess &access : bundle.operations[i].operands)
        read(access.buffer, placement.devices[i]);
      writer[bundle.operations[i].result.buffer.index()] = i;
    }
    for (const BundleOutput &output : bundle.outputs)
      read(output.buffer, StepDevice::Cpu);
    const std::vector<TracedStep> traced = tracedSteps(bundle);
    for (size_t i = 0; i < traced.size(); ++i)
      for (const BundleTraceback::Table &table : bundle.traceback[i].tables)
        read(table.buffer, placement.devices[traced[i].operation]);
  }

  size_t supersteps() const { return copies_.size(); }
  void addInputs(Schedule &schedule) const { add(StepKind::Upload, inputs_, schedule); }
  void addCopies(size_t superstep, Schedule &schedule) const {
    add(StepKind::Download, copies_[superstep].down, schedule);
    add(StepKind::Upload, copies_[superstep].up, schedule);
  }

private:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Copies {
    std::set<uint32_t> down, up;
  };

  static void add(StepKind kind, const std::set<uint32_t> &buffers, Schedule &schedule) {
    for (const uint32_t buffer : buffers)
      schedule.steps.push_back({kind, StepDevice::Gpu, buffer});
  }

  std::set<uint32_t> inputs_;
  std::vector<Copies> copies_;
};

} // namespace

Schedule placedSchedule(const Bundle &bundle, const TaskPlacement &placement,
                        const std::vector<uint32_t> &supersteps) {
  MPF_CHECK(placement.devices.size() == bundle.operations.size() &&
                supersteps.size() == bundle.operations.size(),
            "{} devices and {} supersteps for {} operations", placement.devices.size(),
            supersteps.size(), bundle.operations.size());
  Schedule schedule;
  const Crossings crossings(bundle, placement, supersteps);
  crossings.addInputs(schedule);
  for (size_t superstep = 0; superstep < crossings.supersteps(); ++superstep) {
    for (const StepDevice device : {StepDevice::Gpu, StepDevice::Cpu})
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
