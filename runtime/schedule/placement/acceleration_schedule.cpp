#include "runtime/schedule/placement/acceleration_schedule.h"

#include <array>

namespace mpf {

namespace {

constexpr int kMostPasses = 8; ///< passes of moveSingleTasks; each one lowers the time

constexpr std::array<StepDevice, 2> kDevices = {StepDevice::Cpu, StepDevice::Gpu};
constexpr size_t at(StepDevice device) { return static_cast<size_t>(device); }
constexpr StepDevice other(StepDevice device) {
  return device == StepDevice::Cpu ? StepDevice::Gpu : StepDevice::Cpu;
}

/// A node v of the tree, with the values of the Gems chapter.
struct Node {
  std::array<double, 2> leastUs = {0, 0}; ///< S_v: by device of v
  /// O_v[d], stored by the child d: the device of the child, by device of its parent.
  std::array<StepDevice, 2> decided = {StepDevice::Cpu, StepDevice::Gpu};
  uint32_t parent = UINT32_MAX;  ///< the parent task; none: only the host reads the result
  std::array<double, 2> toCpu{}; ///< time of transfers to a parent on the CPU, by device of v
  std::array<double, 2> toGpu{}; ///< time of transfers to a parent on the GPU, by device of v
};

/// Sets D_v: the times of tables from a task to its parent, for all pairs of devices.
void setTransfers(const PlacementTasks &tasks, uint32_t task, const TransferTimes &transfers,
                  Node &node) {
  for (const uint32_t id : tasks.tasks[task].writes) {
    const PlacedTable &table = tasks.tables[id];
    const double upUs = transfers.tableUs(table.bytes, StepDevice::Cpu);
    const double downUs = transfers.tableUs(table.bytes, StepDevice::Gpu);
    const bool toParent = !table.readers.empty() && table.readers.front() == node.parent;
    if (toParent || table.hostReads)
      node.toCpu[at(StepDevice::Gpu)] += downUs;
    if (toParent)
      node.toGpu[at(StepDevice::Cpu)] += upUs;
    if (table.hostReads)
      node.toGpu[at(StepDevice::Gpu)] += downUs;
  }
}

std::vector<Node> treeOf(const PlacementTasks &tasks, const TransferTimes &transfers) {
  std::vector<Node> nodes(tasks.tasks.size());
  for (const PlacedTable &table : tasks.tables)
    if (!table.readers.empty())
      nodes[table.writer].parent = std::min(nodes[table.writer].parent, table.readers.front());
  for (uint32_t i = 0; i < nodes.size(); ++i)
    setTransfers(tasks, i, transfers, nodes[i]);
  return nodes;
}

/// Lowers serialUs by moving one task at a time.
void moveSingleTasks(const PlacementTasks &tasks, const TransferTimes &transfers,
                     std::vector<StepDevice> &devices) {
  const auto around = [&](uint32_t task) { // the times that depend on the device of the task
    const PlacementTask &of = tasks.tasks[task];
    double timeUs = devices[task] == StepDevice::Cpu ? of.cpuUs : of.gpuUs;
    for (const std::vector<uint32_t> *list : {&of.reads, &of.traces, &of.writes})
      for (const uint32_t table : *list)
        timeUs += crossingUs(tasks.tables[table], devices, transfers);
    return timeUs;
  };
  bool changed = true;
  for (int pass = 0; changed && pass < kMostPasses; ++pass) {
    changed = false;
    for (uint32_t task = static_cast<uint32_t>(devices.size()); task-- > 0;) {
      const double before = around(task);
      devices[task] = other(devices[task]);
      if (around(task) < before * (1 - 1e-12))
        changed = true;
      else
        devices[task] = other(devices[task]);
    }
  }
}

} // namespace

std::vector<StepDevice> accelerationSchedule(const PlacementTasks &tasks,
                                             const TransferTimes &transfers) {
  std::vector<Node> nodes = treeOf(tasks, transfers);
  // A task comes after those whose tables it reads, so a parent comes after its children.
  for (size_t i = 0; i < nodes.size(); ++i) {
    Node &node = nodes[i];
    node.leastUs[at(StepDevice::Cpu)] += tasks.tasks[i].cpuUs;
    node.leastUs[at(StepDevice::Gpu)] += tasks.tasks[i].gpuUs;
    for (const StepDevice parent : kDevices) {
      const std::array<double, 2> &transfer = parent == StepDevice::Cpu ? node.toCpu : node.toGpu;
      const double cpuUs = node.leastUs[0] + transfer[0], gpuUs = node.leastUs[1] + transfer[1];
      node.decided[at(parent)] = gpuUs < cpuUs ? StepDevice::Gpu : StepDevice::Cpu;
      if (node.parent != UINT32_MAX)
        nodes[node.parent].leastUs[at(parent)] += std::min(cpuUs, gpuUs);
    }
  }
  std::vector<StepDevice> devices(nodes.size());
  for (size_t i = nodes.size(); i-- > 0;) {
    const Node &node = nodes[i]; // a root's result goes to the host
    const StepDevice parent = node.parent == UINT32_MAX ? StepDevice::Cpu : devices[node.parent];
    devices[i] = node.decided[at(parent)];
  }
  moveSingleTasks(tasks, transfers, devices);
  return devices;
}

} // namespace mpf
