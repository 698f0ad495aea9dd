#include "runtime/execute/host/host_tables.h"

#include "codegen/bundle/private_tables.h"
#include "dsl/support/check.h"
#include "dsl/support/system/numa_nodes.h"
#include "runtime/execute/host/accumulate_slice.h"
#include "runtime/execute/host/bind_input.h"
#include "runtime/execute/host/claim_memory.h"
#include "runtime/execute/host/interleave_memory.h"

#include <algorithm>
#include <array>
#include <set>

namespace mpf {

HostTables::HostTables(const Bundle &bundle, bool isShared)
    : bundle_(bundle), inputs_(bundle.inputArenaBytes, "input tables"),
      work_(bundle.workArenaBytes, "intermediate tables"), run_{
                                                               {},
                                                               std::vector<TableState>(
                                                                   bundle.buffers.size()),
                                                               SliceStates(bundle.sliced.size(), 0),
                                                               BestSlice(bundle)} {
  run_.entries.reserve(bundle.buffers.size());
  for (const BundleBuffer &buffer : bundle.buffers)
    run_.entries.push_back((buffer.input ? inputs_ : work_).data() + buffer.offsetBytes);
  if (isShared)
    for (const AlignedMemory *tables : {&inputs_, &work_})
      interleaveMemory(*tables, numaNodes());
}

void HostTables::claim() const {
  // Room for slices side by side is used only where memory is left (HostExecutor::loopAtOnce).
  const std::array<std::span<std::byte>, 2> tables{
      std::span(inputs_.data(), inputs_.sizeBytes()),
      std::span(work_.data(), std::min(work_.sizeBytes(), workTableBytes(bundle_)))};
  claimMemory(tables, bundle_.name);
}

void HostTables::set(std::span<const GivenTable> tables) {
  for (const auto &[buffer, table] : tables) {
    const uint64_t elems = bundle_.buffer(buffer).sizeElems;
    MPF_CHECK(table.sizeElems == elems && table.type == bundle_.type,
              "{} entries for table {} of {}", table.sizeElems, bundle_.buffer(buffer).name, elems);
    std::copy_n(table.entries, elems * elementBytes(bundle_.type), run_.entries[buffer.index()]);
    if (table.signs != nullptr)
      std::copy_n(table.signs, elems, signsOf(run_, buffer));
    run_.states[buffer.index()] = table.state;
  }
}

TableView HostTables::view(const TableSet &tables, BufferId id, uint64_t offsetElems) const {
  const TableState &state = tables.states[id.index()];
  const bool signs = state.form != 0 && bundle_.signedValues;
  return {bundle_.type, state, bundle_.buffer(id).sizeElems - offsetElems,
          tables.entries[id.index()] + offsetElems * elementBytes(bundle_.type),
          signs ? signsOf(tables, id) + offsetElems : nullptr};
}

void HostTables::accumulate(const BundleOperation &operation, const TableSet &slice,
                            TableSet &sums) const {
  const BufferId result = operation.result.buffer;
  const bool first = slice.slice[operation.loop - 1] == 0;
  const SliceSum how{operation.semiring.reduce, hasPlainTables(bundle_), bundle_.forcedLog, first,
                     operation.name};
  const MutableTable sum{bundle_.type, &sums.states[result.index()],
                         bundle_.buffer(result).sizeElems, sums.entries[result.index()],
                         bundle_.signedValues ? signsOf(sums, result) : nullptr};
  if (accumulateSlice(how, view(slice, operation.operands[0].buffer, 0), sum))
    sums.best.record(operation.loop, slice.slice, slice.best);
}

LoopTables HostTables::ofLoop(const SliceArenas &arenas) const {
  const std::vector<uint32_t> owners = owningLoops(bundle_);
  const auto isInside = [&](uint32_t loop) { return bundle_.loops.contains(arenas.loop, loop); };
  const PrivateTables own(bundle_, owners, arenas.loop);
  LoopTables made{arenas.loop, std::vector<TableSet>(arenas.count, run_), {}};
  for (size_t i = 0; i < bundle_.buffers.size(); ++i)
    if (!bundle_.buffers[i].input && isInside(owners[i]))
      for (size_t arena = 0; arena < arenas.count; ++arena)
        made.further[arena].entries[i] = work_.data() + arenas.firstBytes +
                                         arena * arenas.eachBytes +
                                         own.placeOf(bundle_.buffers[i].offsetBytes);
  std::set<uint32_t> outside;
  for (const BundleOperation &operation : bundle_.operations)
    if (isInside(operation.loop))
      for (const BundleAccess &operand : operation.operands)
        if (!isInside(owners[operand.buffer.index()]))
          outside.insert(operand.buffer.value);
  for (const uint32_t buffer : outside)
    made.fromOutside.emplace_back(buffer);
  return made;
}

} // namespace mpf
