#include "runtime/schedule/slices/replicate_slices.h"

#include "codegen/bundle/private_tables.h"
#include "codegen/bundle/slice_arenas.h"
#include "dsl/support/check.h"
#include "dsl/support/table_layout.h"
#include "runtime/schedule/launches/launch_use.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {

/// Returns the loops around an operation of `loop`, the outermost first, and `loop` itself.
std::vector<uint32_t> pathTo(const LoopTree &loops, uint32_t loop) {
  std::vector<uint32_t> path;
  for (; loop != 0; loop = loops.parent(loop))
    path.insert(path.begin(), loop);
  return path;
}

/// The tables of a loop, without those of the loops inside it.
PrivateTables tablesOf(const Bundle &bundle, const std::vector<uint32_t> &owners, uint32_t loop) {
  return {bundle, owners, [loop](uint32_t owner) { return owner == loop; }};
}

class Replicator {
public:
  Replicator(const Bundle &bundle, SliceReplicas counts)
      : given_(bundle), owners_(owningLoops(bundle)) {
    made_.bundle = bundle;
    made_.bundle.workArenaBytes = workTableBytes(bundle); // the room is for threads of a CPU
    made_.bundle.operations.clear();
    made_.bundle.chains.clear();
    made_.counts = std::move(counts);
    made_.first.assign(bundle.operations.size(), 0);
  }

  ReplicatedBundle make() {
    addBuffers();
    const std::vector<BundleOperation> &operations = given_.operations;
    for (uint32_t i = 0; i < operations.size();) {
      uint32_t end = i + 1;
      while (end < operations.size() && operations[end].loop == operations[i].loop &&
             operations[end].accumulates == operations[i].accumulates)
        ++end;
      for (const SliceStates &shift : shiftsIn(operations[i].loop))
        for (uint32_t operation = i; operation < end; ++operation)
          addOperation(operation, shift);
      i = end;
    }
    std::sort(made_.bundle.chains.begin(), made_.bundle.chains.end(),
              [](const BundleChain &a, const BundleChain &b) { return a.first < b.first; });
    return std::move(made_);
  }

private:
  /// Returns all shifts of operations of the loop, in the order of numberOf.
  std::vector<SliceStates> shiftsIn(uint32_t loop) const {
    std::vector<SliceStates> shifts{SliceStates(given_.sliced.size(), 0)};
    for (const uint32_t around : pathTo(given_.loops, loop)) {
      std::vector<SliceStates> longer;
      for (const SliceStates &shift : shifts)
        for (uint32_t state = 0; state < made_.counts[around - 1]; ++state) {
          longer.push_back(shift);
          longer.back()[around - 1] = state;
        }
      shifts = std::move(longer);
    }
    return shifts;
  }

  /// Returns the number of a shift among all shifts in the loop: it has a digit for each loop
  /// around the operations.
  uint64_t numberOf(uint32_t loop, const SliceStates &shift) const {
    uint64_t number = 0;
    for (const uint32_t around : pathTo(given_.loops, loop))
      number = number * made_.counts[around - 1] + shift[around - 1];
    return number;
  }

  void addBuffers() {
    const std::vector<uint64_t> replicas = replicasByLoop(given_, made_.counts);
    Bundle &bundle = made_.bundle;
    further_.assign(given_.buffers.size(), 0);
    for (uint32_t loop = 1; loop <= given_.loops.count(); ++loop) {
      const PrivateTables memory = tablesOf(given_, owners_, loop);
      const uint64_t begin = roundUp(bundle.workArenaBytes, kPrivateAlignBytes);
      const uint64_t eachBytes = roundUp(memory.sizeBytes(), kPrivateAlignBytes);
      if (replicas[loop] == 1 || eachBytes == 0)
        continue;
      for (size_t i = 0; i < given_.buffers.size(); ++i) {
        if (owners_[i] != loop || given_.buffers[i].input)
          continue;
        further_[i] = static_cast<uint32_t>(bundle.buffers.size());
        for (uint64_t number = 1; number < replicas[loop]; ++number) {
          BundleBuffer &buffer = bundle.buffers.emplace_back(given_.buffers[i]);
          buffer.offsetBytes =
              begin + (number - 1) * eachBytes + memory.placeOf(given_.buffers[i].offsetBytes);
        }
      }
      bundle.workArenaBytes = begin + (replicas[loop] - 1) * eachBytes;
    }
    made_.furtherBytes = bundle.workArenaBytes - workTableBytes(given_);
  }

  BufferId bufferOf(BufferId given, const SliceStates &shift) const {
    const uint64_t number = numberOf(owners_[given.index()], shift);
    return number == 0 ? given : BufferId(size_t{further_[given.index()] + number - 1});
  }

  void addOperation(uint32_t index, const SliceStates &shift) {
    const auto made = static_cast<uint32_t>(made_.bundle.operations.size());
    BundleOperation &operation = made_.bundle.operations.emplace_back(given_.operations[index]);
    for (BundleAccess &operand : operation.operands)
      operand.buffer = bufferOf(operand.buffer, shift);
    operation.result.buffer = bufferOf(operation.result.buffer, shift);
    if (const BundleChain *chain = chainAt(given_, index)) {
      made_.bundle.chains.push_back(*chain);
      made_.bundle.chains.back().first = made;
    }
    made_.original.push_back(index);
    made_.shifts.push_back(shift);
    if (!made_.isShifted(made))
      made_.first[index] = made;
  }

  const Bundle &given_;
  const std::vector<uint32_t> owners_;
  std::vector<uint32_t> further_; ///< by given buffer: the buffer of its first shift
  ReplicatedBundle made_;
};

} // namespace

bool ReplicatedBundle::isShifted(uint32_t operation) const {
  const SliceStates &shift = shifts[operation];
  return std::any_of(shift.begin(), shift.end(), [](uint32_t states) { return states != 0; });
}

SliceStates ReplicatedBundle::statesOf(uint32_t operation, const SliceStates &pass) const {
  SliceStates states = pass;
  for (uint32_t loop = 1; loop <= states.size(); ++loop)
    states[loop - 1] = std::min(states[loop - 1] + shifts[operation][loop - 1], extent(loop) - 1);
  return states;
}

std::vector<char> ReplicatedBundle::flagsOf(const std::vector<char> &given,
                                            bool allReplicas) const {
  std::vector<char> flags(original.size(), 0);
  for (uint32_t i = 0; i < flags.size(); ++i)
    flags[i] = allReplicas || !isShifted(i) ? given[original[i]] : 0;
  return flags;
}

std::vector<uint64_t> replicasByLoop(const Bundle &bundle, const SliceReplicas &counts) {
  std::vector<uint64_t> replicas{1};
  for (uint32_t loop = 1; loop <= bundle.loops.count(); ++loop)
    replicas.push_back(saturatingMul(replicas[bundle.loops.parent(loop)], counts[loop - 1]));
  return replicas;
}

std::vector<uint64_t> sliceBytesOf(const Bundle &bundle) {
  const std::vector<uint32_t> owners = owningLoops(bundle);
  std::vector<uint64_t> bytes{0};
  for (uint32_t loop = 1; loop <= bundle.loops.count(); ++loop)
    bytes.push_back(roundUp(tablesOf(bundle, owners, loop).sizeBytes(), kPrivateAlignBytes));
  return bytes;
}

std::vector<bool> loopsEndingInSums(const Bundle &bundle) {
  std::vector<bool> ends(bundle.loops.count() + 1, false);
  for (const BundleOperation &operation : bundle.operations) // the last one of a loop decides
    for (uint32_t loop = operation.loop; loop != 0; loop = bundle.loops.parent(loop))
      ends[loop] = operation.accumulates && operation.loop == loop;
  return ends;
}

ReplicatedBundle replicateSlices(const Bundle &bundle, SliceReplicas counts) {
  if (counts.empty())
    counts.assign(bundle.sliced.size(), 1);
  MPF_CHECK(counts.size() == bundle.sliced.size(), "{} counts for {} loops", counts.size(),
            bundle.sliced.size());
  for (uint32_t loop = 1; loop <= counts.size(); ++loop) {
    const uint32_t extent = bundle.variables[bundle.sliced[loop - 1].index()].extent;
    MPF_CHECK(counts[loop - 1] >= 1 && counts[loop - 1] <= extent,
              "loop {} of {} slices has {} side by side", loop, extent, counts[loop - 1]);
  }
  return Replicator(bundle, std::move(counts)).make();
}

} // namespace mpf
