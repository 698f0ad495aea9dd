#include "runtime/schedule/placement/acceleration_schedule.h"

#include <algorithm>

namespace mpf {

namespace {

constexpr int kMostPasses = 8; ///< passes of moveSingleTasks; each one lowers the time

/// A node v of the tree, with the values of the Gems chapter. Devices are given by their places in
/// PlacementSite::devices.
struct Node {
  std::vector<double> leastUs;  ///< S_v: by device of v
  std::vector<size_t> decided;  ///< O_v[d], stored by the child d: its device, by device of v
  uint32_t parent = UINT32_MAX; ///< the parent task; none: only the host reads the result
  /// D_v: times of the tables of v that cross, by device of v, then by device of its parent.
  std::vector<double> transferUs;
};

/// Sets D_v: the times of tables from a task to its parent, for all pairs of devices.
void setTransfers(const PlacementTasks &tasks, uint32_t task, const PlacementSite &site,
                  Node &node) {
  const size_t count = site.devices.size();
  const auto copyUs = [&](const PlacedTable &table, size_t from, size_t to) {
    return site.links[from * count + to].copyUs(table.bytes);
  };
  for (const uint32_t id : tasks.tasks[task].writes) {
    const PlacedTable &table = tasks.tables[id];
    const bool toParent = !table.readers.empty() && table.readers.front() == node.parent;
    for (size_t device = 0; device < count; ++device)
      for (size_t parent = 0; parent < count; ++parent) {
        const bool goesToHost = table.hostReads && device != 0;
        double &us = node.transferUs[device * count + parent];
        if (goesToHost)
          us += copyUs(table, device, 0);
        if (toParent && device != parent && !(goesToHost && parent == 0))
          us += copyUs(table, device, parent);
      }
  }
}

std::vector<Node> treeOf(const PlacementTasks &tasks, const PlacementSite &site) {
  const size_t count = site.devices.size();
  std::vector<Node> nodes(tasks.tasks.size(),
                          Node{std::vector<double>(count, 0), std::vector<size_t>(count, 0),
                               UINT32_MAX, std::vector<double>(count * count, 0)});
  for (uint32_t i = 0; i < nodes.size(); ++i)
    nodes[i].parent = parentOf(tasks, i);
  for (uint32_t i = 0; i < nodes.size(); ++i)
    setTransfers(tasks, i, site, nodes[i]);
  return nodes;
}

/// Lowers serialUs by moving one task at a time.
void moveSingleTasks(const PlacementTasks &tasks, const PlacementSite &site,
                     std::vector<DeviceId> &devices) {
  const auto around = [&](uint32_t task) { // the times that depend on the device of the task
    const PlacementTask &of = tasks.tasks[task];
    double timeUs = of.us[site.at(devices[task])];
    for (const std::vector<uint32_t> *list : {&of.reads, &of.traces, &of.writes})
      for (const uint32_t table : *list)
        timeUs += crossingUs(tasks.tables[table], devices, site);
    return timeUs;
  };
  bool changed = true;
  for (int pass = 0; changed && pass < kMostPasses; ++pass) {
    changed = false;
    for (uint32_t task = static_cast<uint32_t>(devices.size()); task-- > 0;) {
      double leastUs = around(task);
      for (const PlacementDevice &other : site.devices) {
        const DeviceId before = devices[task];
        if (other.id == before)
          continue;
        devices[task] = other.id;
        if (const double timeUs = around(task); timeUs < leastUs * (1 - 1e-12)) {
          leastUs = timeUs;
          changed = true;
        } else {
          devices[task] = before;
        }
      }
    }
  }
}

} // namespace

std::vector<DeviceId> accelerationSchedule(const PlacementTasks &tasks, const PlacementSite &site) {
  std::vector<Node> nodes = treeOf(tasks, site);
  const size_t count = site.devices.size();
  // A task comes after those whose tables it reads, so a parent comes after its children.
  for (size_t i = 0; i < nodes.size(); ++i) {
    Node &node = nodes[i];
    for (size_t device = 0; device < count; ++device)
      node.leastUs[device] += tasks.tasks[i].us[device];
    for (size_t parent = 0; parent < count; ++parent) {
      double leastUs = 0;
      for (size_t device = 0; device < count; ++device) {
        const double timeUs = node.leastUs[device] + node.transferUs[device * count + parent];
        if (device > 0 && !(timeUs < leastUs))
          continue;
        leastUs = timeUs;
        node.decided[parent] = device;
      }
      if (node.parent != UINT32_MAX)
        nodes[node.parent].leastUs[parent] += leastUs;
    }
  }
  std::vector<size_t> places(nodes.size());
  std::vector<DeviceId> devices(nodes.size());
  for (size_t i = nodes.size(); i-- > 0;) {
    const Node &node = nodes[i]; // a root's result goes to the host
    places[i] = node.decided[node.parent == UINT32_MAX ? 0 : places[node.parent]];
    devices[i] = site.devices[places[i]].id;
  }
  moveSingleTasks(tasks, site, devices);
  return devices;
}

} // namespace mpf
