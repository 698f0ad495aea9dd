// The tables of an executor on the host: their memory, where they are and what is known of them.
//
// A run works on one TABLE SET. Threads that compute slices side by side have one each: what every
// slice computes anew is in an arena of the thread, everything else is shared.
#pragma once

#include "codegen/bundle/slice_arenas.h"
#include "codegen/bundle/table_state.h"
#include "runtime/execute/host/aligned_memory.h"
#include "runtime/execute/host/best_slice.h"
#include "runtime/execute/host/executor.h"

#include <cstddef>
#include <span>
#include <vector>

namespace mpf {

struct TableSet {
  std::vector<std::byte *> entries; ///< by buffer
  std::vector<TableState> states;   ///< by buffer
  SliceStates slice;                ///< the slice that is being computed
  BestSlice best;
};

/// The tables of a loop whose slices are computed side by side.
struct LoopTables {
  uint32_t loop = 0;                 ///< counted from 1
  std::vector<TableSet> further;     ///< of all threads but the first, which has that of the run
  std::vector<BufferId> fromOutside; ///< results that its operations read, made outside of it
};

/// Returns the operand's entries in the slice of `tables`.
template <class T> const T *entriesOf(const TableSet &tables, const BundleAccess &access) {
  return reinterpret_cast<const T *>(tables.entries[access.buffer.index()]) +
         sliceOffsetElems(access, tables.slice);
}

/// Both arenas of a bundle, which must outlive the object. Threads may use different table sets.
class HostTables {
public:
  /// Allocates the arenas; throws Error(MemoryBound) when the system refuses. `isShared`: several
  /// threads use them.
  HostTables(const Bundle &bundle, bool isShared);

  /// Returns the table set of the run.
  TableSet &ofRun() { return run_; }
  const TableSet &ofRun() const { return run_; }

  /// Touches all pages (claim_memory.h).
  void claim() const;
  uint64_t sizeBytes() const { return inputs_.sizeBytes() + work_.sizeBytes(); }

  /// Copies results of another device into the tables of the run.
  void set(std::span<const GivenTable> tables);

  int8_t *signsOf(const TableSet &tables, BufferId id) const {
    const uint64_t entryBytes = bundle_.buffer(id).sizeElems * elementBytes(bundle_.type);
    return reinterpret_cast<int8_t *>(tables.entries[id.index()] + entryBytes);
  }
  /// Returns a table from its entry `offsetElems` on.
  TableView view(const TableSet &tables, BufferId id, uint64_t offsetElems = 0) const;

  /// Adds the slice that `slice` has computed to a table of `sums`.
  void accumulate(const BundleOperation &operation, const TableSet &slice, TableSet &sums) const;

  LoopTables ofLoop(const SliceArenas &arenas) const;

private:
  const Bundle &bundle_;
  AlignedMemory inputs_, work_;
  TableSet run_;
};

} // namespace mpf
