#include "runtime/execute/gpu/slices/slice_tables.h"

#include "dsl/support/check.h"
#include "dsl/support/counts.h"
#include "runtime/execute/host/bind_input.h"

#include <algorithm>
#include <cstddef>
#include <map>

namespace mpf {

namespace {

class SliceTableBuilder {
public:
  SliceTableBuilder(const ReplicatedBundle &program, const SlicePlaces &places,
                    const std::vector<char> &runs)
      : program_(program), bundle_(program.bundle), places_(places), runs_(runs), rows_(program) {}

  SliceTables build(const LinearAssumption &assumption, const std::vector<SliceSumGroup> &groups) {
    for (uint32_t loop = 1; loop <= bundle_.loops.count(); ++loop) {
      GpuSliceLoop &made = tables_.loops.emplace_back();
      made.loop = static_cast<int32_t>(loop - 1);
      made.extent = static_cast<int32_t>(program_.extent(loop));
      made.slices = static_cast<int32_t>(program_.counts[loop - 1]);
      addMoves(loop, made);
    }
    addResets(assumption);
    addProducts(assumption);
    const BestSlice best(bundle_);
    for (const SliceSumGroup &group : groups)
      addGroup(group, best);
    return std::move(tables_);
  }

private:
  uint64_t tableOf(BufferId id) const {
    const uint64_t arena = bundle_.buffer(id).input ? places_.arenas.inputs : places_.arenas.work;
    return arena + places_.buffers.offsetBytes(id);
  }
  uint64_t signsOf(BufferId id) const {
    if (!bundle_.signedValues || bundle_.buffer(id).packed)
      return 0;
    const uint64_t arena = bundle_.buffer(id).input ? places_.arenas.inputs : places_.arenas.work;
    return arena + places_.buffers.signOffsetBytes(id);
  }

  /// Adds the moves of operations directly in the loop. Those of inner loops move when the inner
  /// loops step.
  void addMoves(uint32_t loop, GpuSliceLoop &made) {
    made.firstMove = static_cast<int32_t>(tables_.moves.size());
    for (uint32_t i = 0; i < bundle_.operations.size(); ++i) {
      const BundleOperation &operation = bundle_.operations[i];
      for (size_t slot = 0; operation.loop == loop && slot < operation.operands.size(); ++slot)
        addMove(i, slot, operation.operands[slot], loop);
    }
    made.moveCount = static_cast<int32_t>(tables_.moves.size()) - made.firstMove;
  }

  void addMove(uint32_t operation, size_t slot, const BundleAccess &access, uint32_t loop) {
    GpuSliceMove move;
    move.firstStride = static_cast<int32_t>(tables_.strides.size());
    for (uint32_t around = 0; around < access.sliceStridesElems.size(); ++around)
      // Only open loops count; others are at their first state.
      if (access.sliceStridesElems[around] != 0 && bundle_.loops.contains(around + 1, loop))
        tables_.strides.push_back({access.sliceStridesElems[around],
                                   program_.extent(around + 1) - 1, static_cast<int16_t>(around),
                                   static_cast<int16_t>(program_.shifts[operation][around])});
    move.strideCount = static_cast<int32_t>(tables_.strides.size()) - move.firstStride;
    if (move.strideCount == 0)
      return;
    const uint64_t record =
        places_.records + uint64_t{places_.recordTable.first[operation]} * sizeof(GpuRecordUnit);
    move.address = record + offsetof(GpuOperation, table) + slot * sizeof(uint64_t);
    move.table = tableOf(access.buffer);
    move.signs = signsOf(access.buffer);
    if (move.signs != 0)
      move.signAddress = record + offsetof(GpuOperation, signs) + slot * sizeof(uint64_t);
    move.entryBits = bundle_.buffer(access.buffer).packed
                         ? 1
                         : static_cast<int32_t>(8 * elementBytes(bundle_.type));
    tables_.moves.push_back(move);
  }

  bool isIn(uint32_t loop, uint32_t operation) const {
    return bundle_.loops.contains(loop, bundle_.operations[operation].loop);
  }

  /// Sets each loop's range of a list. Operations of a loop, with those of inner loops, are
  /// adjacent, and so are their entries of the list. `operationOf` returns the operation of an
  /// entry.
  template <class List, class OperationOf>
  void chooseRanges(const List &list, OperationOf operationOf, int32_t GpuSliceLoop::*first,
                    int32_t GpuSliceLoop::*count) {
    for (uint32_t loop = 1; loop <= bundle_.loops.count(); ++loop) {
      GpuSliceLoop &made = tables_.loops[loop - 1];
      const auto inLoop = [&](const auto &entry) { return isIn(loop, operationOf(entry)); };
      const auto begin = std::find_if(list.begin(), list.end(), inLoop);
      const auto end = std::find_if_not(begin, list.end(), inLoop);
      MPF_CHECK(std::none_of(end, list.end(), inLoop), "{}: loop {} is in pieces", bundle_.name,
                loop);
      made.*first = static_cast<int32_t>(begin - list.begin());
      made.*count = static_cast<int32_t>(end - begin);
    }
  }

  /// Adds the resets of the results of slices; sums are not among them.
  void addResets(const LinearAssumption &assumption) {
    std::vector<char> mustBeLinear(bundle_.buffers.size(), 0);
    for (const uint32_t buffer : assumption.linear())
      mustBeLinear[buffer] = 1;
    for (uint32_t i = 0; i < bundle_.operations.size(); ++i) {
      const BundleOperation &operation = bundle_.operations[i];
      if (operation.loop == 0 || operation.accumulates || runs_[i] == 0)
        continue;
      const uint32_t buffer = operation.result.buffer.value;
      tables_.resets.push_back({static_cast<int32_t>(buffer), static_cast<int32_t>(i),
                                mustBeLinear[buffer], static_cast<int32_t>(program_.original[i])});
    }
    chooseRanges(
        tables_.resets,
        [](const GpuSliceReset &reset) { return static_cast<uint32_t>(reset.operation); },
        &GpuSliceLoop::firstReset, &GpuSliceLoop::resetCount);
  }

  void addProducts(const LinearAssumption &assumption) {
    std::vector<LinearAssumption::Product> products;
    for (const LinearAssumption::Product &product : assumption.products())
      if (bundle_.operations[product.operation].loop != 0)
        products.push_back(product);
    std::sort(products.begin(), products.end(),
              [](const auto &a, const auto &b) { return a.operation < b.operation; });
    for (const LinearAssumption::Product &product : products)
      tables_.assumed.add(product);
    chooseRanges(
        products, [](const LinearAssumption::Product &product) { return product.operation; },
        &GpuSliceLoop::firstProduct, &GpuSliceLoop::productCount);
  }

  /// True if the loop has one sum, that of the output or of a table that it depends on. Then this
  /// sum decides the best slice.
  bool decides(uint32_t loop) const {
    uint32_t sums = 0;
    for (uint32_t i = 0; i < bundle_.operations.size(); ++i)
      sums += isSumOf(loop, i) && !program_.isShifted(i) ? 1 : 0;
    return sums == 1;
  }
  bool isSumOf(uint32_t loop, uint32_t operation) const {
    return bundle_.operations[operation].accumulates && bundle_.operations[operation].loop == loop;
  }

  int32_t kindOf(const BundleOperation &operation) const {
    const Reduce reduce = operation.semiring.reduce;
    return (reduce == Reduce::Max ? kSumMax : 0) | (reduce == Reduce::Min ? kSumMin : 0) |
           (hasPlainTables(bundle_) ? kSumPlain : 0) | (bundle_.forcedLog ? kSumForcedLog : 0);
  }

  /// Returns the operands of each sum: the replicas of an operation, in the order of their slices.
  std::vector<std::vector<uint32_t>> sumsOf(const SliceSumGroup &group) const {
    std::vector<std::vector<uint32_t>> sums;
    std::map<uint32_t, size_t> numbers; // index of a sum, by buffer
    for (const uint32_t i : group.operations) {
      const auto [found, isNew] =
          numbers.try_emplace(bundle_.operations[i].result.buffer.value, sums.size());
      if (isNew)
        sums.emplace_back();
      sums[found->second].push_back(i);
    }
    return sums;
  }

  void addGroup(const SliceSumGroup &group, const BestSlice &best) {
    SliceTables::Group made;
    made.firstChunk = static_cast<uint32_t>(tables_.chunks.size());
    const bool notes = decides(group.loop);
    for (const std::vector<uint32_t> &replicas : sumsOf(group))
      addSum(group.loop, replicas,
             notes ? best.sources(group.loop) : std::vector<BestSlice::Source>(), notes);
    made.chunkCount = static_cast<uint32_t>(tables_.chunks.size()) - made.firstChunk;
    tables_.groups.push_back(made);
  }

  void addSum(uint32_t loop, const std::vector<uint32_t> &replicas,
              const std::vector<BestSlice::Source> &sources, bool notes) {
    const BundleOperation &operation = bundle_.operations[replicas[0]];
    const BufferId into = operation.result.buffer;
    GpuSumTask task;
    task.sum = tableOf(into);
    task.sumSigns = signsOf(into);
    task.elems = bundle_.buffer(into).sizeElems;
    task.sumState = static_cast<int32_t>(into.value);
    task.kind = kindOf(operation) | (notes ? kSumNotesBest : 0);
    task.operation = static_cast<int32_t>(program_.original[replicas[0]]);
    task.chunkCount = static_cast<int32_t>(ceilDivide(task.elems, kSumChunkElems));
    task.firstSlice = static_cast<int32_t>(tables_.slices.size());
    task.sliceCount = static_cast<int32_t>(replicas.size());
    task.bestRow = static_cast<int32_t>(rows_.rowOf(loop, program_.shifts[replicas[0]]));
    task.sourceCount = static_cast<int32_t>(sources.size());
    for (const uint32_t i : replicas) {
      const BufferId from = bundle_.operations[i].operands[0].buffer;
      tables_.slices.push_back({tableOf(from), signsOf(from), static_cast<int32_t>(from.value),
                                static_cast<int32_t>(tables_.sources.size())});
      for (const BestSlice::Source &source : sources)
        tables_.sources.push_back(
            {static_cast<int32_t>(rows_.rowOf(source.loop + 1, program_.shifts[i])),
             static_cast<int32_t>(source.decided)});
    }
    for (uint64_t first = 0; first < task.elems; first += kSumChunkElems)
      tables_.chunks.push_back({static_cast<int32_t>(tables_.sums.size()), 0, first,
                                std::min(first + kSumChunkElems, task.elems)});
    tables_.sums.push_back(task);
  }

  const ReplicatedBundle &program_;
  const Bundle &bundle_;
  const SlicePlaces &places_;
  const std::vector<char> &runs_;
  const SliceRows rows_;
  SliceTables tables_;
};

} // namespace

SliceRows::SliceRows(const ReplicatedBundle &program) : program_(program) {
  const std::vector<uint64_t> replicas = replicasByLoop(program.bundle, program.counts);
  first_.push_back(0);
  for (uint32_t loop = 1; loop <= program.counts.size(); ++loop)
    first_.push_back(first_.back() +
                     static_cast<uint32_t>(replicas[program.bundle.loops.parent(loop)]));
}

uint32_t SliceRows::rowOf(uint32_t loop, const SliceStates &shifts) const {
  uint32_t number = 0, below = 1; // number of the replica of the loops around it
  const LoopTree &loops = program_.bundle.loops;
  for (uint32_t around = loops.parent(loop); around != 0; around = loops.parent(around)) {
    number += shifts[around - 1] * below;
    below *= program_.counts[around - 1];
  }
  return first_[loop - 1] + number;
}

SliceTables buildSliceTables(const ReplicatedBundle &program, const SlicePlaces &places,
                             const std::vector<char> &runs, const LinearAssumption &assumption,
                             const std::vector<SliceSumGroup> &groups) {
  return SliceTableBuilder(program, places, runs).build(assumption, groups);
}

} // namespace mpf
