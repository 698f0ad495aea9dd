// Packs columns of a host program's arrays into words of codes, and writes answers into its arrays:
// the kernels of codegen/emit/preamble/mpf_pack_cases.cuh and mpf_write_answers.cuh. Kernels of
// lanes that read rows of bytes need no words (gpu_lane_rows.h).
#pragma once

#include "codegen/bundle/lanes/lane_kernel.h"
#include "codegen/bundle/lanes/lane_program.h"
#include "codegen/bundle/lanes/linear_plan.h"
#include "dsl/support/cases/device_arrays.h"
#include "dsl/support/cases/device_cases.h"
#include "runtime/compile/kernel_store.h"
#include "runtime/execute/gpu/cuda_stream.h"
#include "runtime/execute/gpu/lanes/gpu_pack_form.h"
#include "runtime/execute/gpu/lanes/lane_launcher.h"
#include "runtime/execute/gpu/lanes/lane_slots.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace mpf {

inline constexpr uint32_t kAnswerCases = 4 * kCaseThreads; ///< of a block that writes answers
inline constexpr size_t kCaseTables = 48;                  ///< of one launch

/// Return the text of the kernels and its name.
std::string caseArraysSource();
std::string caseArraysName();

// These structs have the kernels' layout.
struct GpuCaseTable {
  enum Kind : int32_t { Value, Log, Posterior, States, Fill };
  CudaDevicePointer to = 0;
  int64_t stride = 0, firstRow = 0, exponent = 0;
  int32_t rows = 0, kind = Value, exponentRow = -1, mayVanish = 0, isEven = 0, isLog = 0;
};
struct GpuAnswerLaunch {
  CudaDevicePointer results = 0, exponents = 0, states = 0, flags = 0, counts = 0;
  int64_t pitch = 0;
  int32_t count = 0, tableCount = 0;
  int32_t isDouble = 0, tableBlocks = 0;
  GpuCaseTable tables[kCaseTables];
};

/// The columns of a list in the order of a kernel's words, a launch for each part.
/// `schema`: the program's columns. Throws Error(Usage) for columns that do not exist or are given
/// twice, numbers of another size, cells at odd addresses, and codes above the extent.
std::vector<GpuCaseColumn> packedColumns(const DeviceCaseArrays &arrays, const CaseSchema &schema,
                                         const LaneKernel &kernel);
/// The arrays of answers. Throws Error(Usage) for tables that do not exist, addresses of 0 and odd
/// addresses.
std::vector<GpuCaseTable> writtenTables(const DeviceCaseArrays &arrays, const LaneProgram &program,
                                        const LinearPlan &plan, const DeviceCaseLayout &layout);

/// Answers lists of one program. Any number of streams may use it: the list of one call begins when
/// the list before has its answers. Thread-safe. The device must outlive it.
class GpuCaseArrays {
public:
  /// `launcher` answers packed cases and must outlive it. Throws as KernelStore::compileAll, and
  /// Error(Device). Only the constructor waits, and the first list of its length, which allocates
  /// memory.
  GpuCaseArrays(LaneLauncher &launcher, const KernelStoreOptions &kernels, DeviceCaseLayout layout);

  /// Queues a list. Long ones go in parts, so that memory stays bounded.
  void run(const DeviceCaseArrays &arrays, CudaStreamHandle stream);
  /// Returns the counts of all lists so far; waits for them.
  DeviceCaseCounts counts();

private:
  void reserve(uint64_t cases);
  bool writesLogs(const std::vector<GpuCaseTable> &tables) const;
  void answer(const std::vector<GpuCaseColumn> &columns, const std::vector<GpuCaseTable> &tables,
              const LanePointers &part, CudaStreamHandle stream) const;
  void pack(const std::vector<GpuCaseColumn> &columns, const GpuPackForm &form,
            const LanePointers &part, CudaStreamHandle stream) const;
  void launchPack(const GpuPackForm &form, GpuPackLaunch &arguments, CudaStreamHandle stream) const;
  void write(const std::vector<GpuCaseTable> &tables, const LanePointers &part,
             CudaStreamHandle stream) const;

  LaneLauncher &launcher_;
  const CudaDevice &device_;
  const LaneKernel &kernel_;
  const DeviceCaseLayout layout_;
  std::unique_ptr<CudaModule> module_;
  CudaKernel packAny_, packColumns_, packRows_, packWideRows_, write_;
  std::mutex mutex_;   ///< guards what follows, and the order of lists
  DeviceCases cases_;  ///< of a part
  DeviceMemory flags_; ///< a byte for each case of a part
  DeviceMemory counts_;
  StreamMark end_; ///< of the last list
};

} // namespace mpf
