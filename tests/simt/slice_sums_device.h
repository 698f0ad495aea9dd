// A device in the checker that only sums slices.
#pragma once

#include "tests/simt/slice_device.h"

#include <cstddef>
#include <string>
#include <vector>

namespace mpf::simt {

/// The device, with all sums of a program's only loop as one group.
struct SumsOnDevice {
  explicit SumsOnDevice(const ReplicatedBundle &program)
      : bundle(program.bundle), buffers(bundle), work(bundle.workArenaBytes, std::byte{0xff}),
        states(bundle.buffers.size()), initial(states), finished(2 * bundle.operations.size()),
        runs(bundle.operations.size(), 1),
        device(program, {inputs, work, states, initial, finished, records.units},
               buildSliceTables(program, {buffers, {0, 0}, 0, records}, runs, {}, {group}),
               faults) {}

  const Bundle &bundle;
  const DeviceBuffers buffers;
  const SliceSumGroup group = {1, sumsOf(bundle)};
  std::vector<std::byte> inputs = std::vector<std::byte>(1), work;
  std::vector<TableState> states, initial;
  std::vector<uint32_t> finished;
  GpuRecords records = noRecords(bundle);
  const std::vector<char> runs;
  std::string faults;
  SliceDevice device;

private:
  static std::vector<uint32_t> sumsOf(const Bundle &bundle) {
    std::vector<uint32_t> sums;
    for (uint32_t i = 0; i < bundle.operations.size(); ++i)
      if (bundle.operations[i].accumulates)
        sums.push_back(i);
    return sums;
  }
  static GpuRecords noRecords(const Bundle &bundle) {
    GpuRecords records;
    records.first.assign(bundle.operations.size() + 1, 0);
    records.units.resize(1);
    return records;
  }
};

} // namespace mpf::simt
