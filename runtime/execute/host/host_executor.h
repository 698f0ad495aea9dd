// The base class of the executors on the host: tables in memory, the walk over the schedule, sums
// over slices, profile and verification. Derived classes compute single operations, in
// floating-point or whole numbers.
#pragma once

#include "runtime/execute/host/aligned_memory.h"
#include "runtime/execute/host/best_slice.h"
#include "runtime/execute/host/executor.h"
#include "runtime/execute/host/thread_pool.h"

namespace mpf {

class HostExecutor : public Executor {
public:
  /// Allocates the arenas; throws Error(MemoryBound) when the system refuses. `kernels` is the name
  /// of the inner loops, a literal.
  HostExecutor(const Bundle &bundle, size_t threads, const char *kernels);

  std::string deviceName() const override;
  std::byte *inputMemory(BufferId input) override { return memory(input); }
  void setInput(BufferId input, const TableState &state) override {
    states_[input.index()] = state;
  }
  const std::vector<OperationProfile> &profile() const override { return profile_; }
  void setTable(BufferId buffer, const TableView &table) override;
  TableView table(BufferId id) const override { return view(id, 0); }
  std::vector<std::vector<uint32_t>> decode(const DecodeRequest &request) const override;
  SliceStates bestSlice() const override { return best_.states(); }
  uint64_t allocatedBytes() const override { return inputs_.sizeBytes() + work_.sizeBytes(); }
  void run(std::span<const ScheduleStep> steps, const RunRequest &request) override;

  /// To be called once, after everything else is allocated (claim_memory.h).
  void claimTables() const;

protected:
  struct Ran {
    const char *path = ""; ///< OperationProfile::path
    bool log = false;      ///< ran in the log domain
  };
  /// Computes the result of operation `index` and its state, in the slice `slice_`.
  virtual Ran runOperation(uint32_t index) = 0;

  std::byte *memory(BufferId id) const {
    const BundleBuffer &buffer = bundle_.buffer(id);
    return (buffer.input ? inputs_ : work_).data() + buffer.offsetBytes;
  }
  int8_t *signsOf(BufferId id) const {
    const uint64_t entryBytes = bundle_.buffer(id).sizeElems * elementBytes(bundle_.type);
    return reinterpret_cast<int8_t *>(memory(id) + entryBytes);
  }
  /// Pointer to the operand's entries in the current slice.
  template <class T> const T *entriesOf(const BundleAccess &access) const {
    return reinterpret_cast<const T *>(memory(access.buffer)) + sliceOffsetElems(access, slice_);
  }
  TableView view(BufferId id, uint64_t offsetElems) const;

  /// Calls task(part, worker) for all parts, on the threads of the pool if there are several.
  template <class Task> void share(size_t parts, const Task &task) {
    if (parts == 1)
      return task(0, 0);
    pool_.run(parts, std::ref(task)); // by reference: nothing is allocated
  }

  const Bundle &bundle_;
  ThreadPool pool_;
  std::vector<TableState> states_; ///< by buffer
  SliceStates slice_;              ///< the slice that is being computed

private:
  void runStep(uint32_t index, const RunRequest &request);
  void record(uint32_t index, const Ran &ran, double timeUs);
  void accumulate(const BundleOperation &operation);
  void verify(uint32_t index, size_t samples) const;

  const char *kernels_;
  AlignedMemory inputs_, work_;
  BestSlice best_;
  std::vector<OperationProfile *> profileOf_; ///< by operation, into profile_
  std::vector<OperationProfile> profile_;
};

} // namespace mpf
