// The kernels of slices (runtime/execute/gpu/gpu_slice_kernels.h) in the checker: what they keep on
// a device, here in vectors.
#pragma once

#include "runtime/execute/gpu/gpu_slice_kernels.h"
#include "runtime/simt/simt_check.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mpf::simt {

/// To the end of the process: compiling takes longer than the tests.
Program &sliceProgram(ElementType type);

/// Memory of a program whose arenas begin at address 0, and so do the records.
struct SliceMemory {
  std::vector<std::byte> &inputs, &work;
  std::vector<TableState> &states, &initialStates;
  std::vector<uint32_t> &finished;
  std::vector<GpuRecordUnit> &records;
};

class SliceDevice {
public:
  /// Faults of all launches go to `faults`. All must outlive it. `tables`: places as in
  /// SliceMemory.
  SliceDevice(const ReplicatedBundle &program, const SliceMemory &memory, SliceTables tables,
              std::string &faults);

  /// As SliceKernels.
  void enter(uint32_t loop);
  void add(const SliceSumGroup &group, uint32_t index);
  void step(const SliceSumGroup &group, uint32_t index);

  const SliceTables &tables() const { return tables_; }
  std::vector<uint32_t> loops; ///< their states
  std::vector<uint32_t> best;  ///< in rows, SliceRows
  GpuSliceFaults noted;
  /// BestSlice::noted: the rows of replicas without shifts.
  std::vector<uint32_t> bestNoted() const;

private:
  struct Lists;
  template <class Launch>
  void run(const std::string &name, uint64_t blocks, uint32_t threads, Launch launch, Lists &lists);
  GpuEnterLaunch enterLaunch(uint32_t loop) const;
  GpuSumLaunch sumLaunch(const SliceSumGroup &group, uint32_t index) const;

  const ReplicatedBundle &program_;
  const Bundle &bundle_;
  const SliceMemory memory_;
  SliceTables tables_;
  std::vector<GpuSumRange> ranges_;
  std::vector<uint32_t> arrived_ = {0};
  std::string &faults_;
};

} // namespace mpf::simt
