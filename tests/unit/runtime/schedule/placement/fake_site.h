// Devices and tasks of placements that do not exist, for tests.
#pragma once

#include "runtime/schedule/placement/placement_tasks.h"

#include <cstddef>
#include <cstdint>
#include <random>
#include <set>

namespace mpf::test {

/// Returns a CPU and equal GPUs. A GPU takes `openUs` to open; a copy between any two devices takes
/// `copyUs` and 1 us for 100 bytes; all wait 20 us for a GPU.
inline PlacementSite siteWith(uint32_t gpus, double openUs = 1000, double copyUs = 5) {
  PlacementSite site;
  site.devices.push_back({DeviceId::cpu()});
  for (uint32_t number = 0; number < gpus; ++number)
    site.devices.push_back({DeviceId::gpu(number), 20, openUs});
  for (const PlacementDevice &from : site.devices)
    for (const PlacementDevice &to : site.devices)
      site.links.push_back({from.id, to.id, copyUs, 100});
  return site;
}

/// Returns tasks with random times on `devices` devices. Up to `mostReaders` later tasks read each
/// result; the host reads the last one.
inline PlacementTasks randomTasks(std::mt19937_64 &random, size_t count, size_t mostReaders,
                                  size_t devices = 2) {
  PlacementTasks tasks;
  for (uint32_t i = 0; i < count; ++i) {
    tasks.tasks.push_back({i, 1, {}, {}, {}});
    for (size_t device = 0; device < devices; ++device)
      tasks.tasks.back().us.push_back(static_cast<double>(random() % 50));
    tasks.taskOf.push_back(i);
  }
  for (uint32_t i = 0; i < count; ++i) {
    std::set<uint32_t> readers;
    for (size_t r = 0; r < 1 + random() % mostReaders && i + 1 < count; ++r)
      readers.insert(static_cast<uint32_t>(i + 1 + random() % (count - i - 1)));
    const auto table = static_cast<uint32_t>(tasks.tables.size());
    tasks.tables.push_back({BufferId(size_t{i}),
                            i,
                            {readers.begin(), readers.end()},
                            i + 1 == count,
                            static_cast<double>(random() % 4000)});
    tasks.tasks[i].writes.push_back(table);
    for (const uint32_t reader : readers)
      tasks.tasks[reader].reads.push_back(table);
  }
  return tasks;
}

} // namespace mpf::test
