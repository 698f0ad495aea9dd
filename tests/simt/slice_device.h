// The kernels of slices (runtime/execute/gpu/gpu_slice_kernels.h) in the checker, with their device
// memory in vectors.
#pragma once

#include "runtime/execute/gpu/gpu_slice_kernels.h"
#include "runtime/simt/simt_check.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mpf::simt {

/// Returns the compiled kernels, which live until the process ends: compiling takes longer than the
/// tests.
Program &sliceProgram(ElementType type);

/// The memory of a program whose arenas and records begin at address 0.
struct SliceMemory {
  std::vector<std::byte> &inputs, &work;
  std::vector<TableState> &states, &initialStates;
  std::vector<uint32_t> &finished;
  std::vector<GpuRecordUnit> &records;
};

class SliceDevice {
public:
  /// Makes a device. `faults` receives the faults of all launches. All arguments must outlive the
  /// object. `tables` has the places of SliceMemory.
  SliceDevice(const ReplicatedBundle &program, const SliceMemory &memory, SliceTables tables,
              std::string &faults);

  /// Does the work of SliceKernels::enter; add and step correspond likewise.
  void enter(uint32_t loop);
  void add(const SliceSumGroup &group, uint32_t index);
  void step(const SliceSumGroup &group, uint32_t index);

  const SliceTables &tables() const { return tables_; }
  std::vector<uint32_t> loops; ///< states of the loops
  std::vector<uint32_t> best;  ///< best slices in the rows of SliceRows
  GpuSliceFaults noted;
  /// Returns the rows of replicas without shifts, as BestSlice::noted.
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
