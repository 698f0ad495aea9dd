#include "tests/simt/slice_device.h"

#include "tests/simt/launch_program.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>

namespace mpf::simt {

namespace {

/// Returns the list with an entry added if it is empty, because the checker needs memory.
template <class T> std::vector<T> atLeastOne(std::vector<T> list) {
  if (list.empty())
    list.emplace_back();
  return list;
}

} // namespace

Program &sliceProgram(ElementType type) {
  static std::array<std::unique_ptr<Program>, 4> programs;
  std::unique_ptr<Program> &program = programs[static_cast<size_t>(type)];
  if (program)
    return *program;
  static constexpr LaunchEntry kKernels[] = {{"mpf_enter_slice", "MpfEnterLaunch"},
                                             {"mpf_add_slices", "MpfSumLaunch"},
                                             {"mpf_step_slices", "MpfStepLaunch"}};
  program = makeLaunchProgram(sliceKernelSource(type), kKernels);
  return *program;
}

SliceDevice::SliceDevice(const ReplicatedBundle &program, const SliceMemory &memory,
                         SliceTables tables, std::string &faults)
    : best(SliceRows(program).count() * program.counts.size(), 0), program_(program),
      bundle_(program.bundle), memory_(memory), tables_(std::move(tables)),
      ranges_(std::max<size_t>(tables_.sums.size(), 1)), faults_(faults) {
  for (const GpuSliceLoop &loop : tables_.loops)
    loops.push_back(static_cast<uint32_t>(loop.extent - 1));
}

/// The objects to which launches point, as buffers of the checker, which fills in their addresses.
/// The launch itself is buffer 0.
struct SliceDevice::Lists {
  enum Number : size_t {
    kLoops = 1,
    kMoves,
    kStrides,
    kResets,
    kProducts,
    kOperands,
    kStates,
    kInitialStates,
    kFinished,
    kFaults,
    kRecords,
    kChunks,
    kTasks,
    kSlices,
    kRanges,
    kBest,
    kSources,
    kInputs,
    kWork,
    kArrived
  };

  /// Makes the buffers of a launch. `enters`: the launch enters other slices.
  Lists(SliceDevice &device, bool enters)
      : moves(atLeastOne(device.tables_.moves)), strides(atLeastOne(device.tables_.strides)),
        resets(atLeastOne(device.tables_.resets)),
        products(atLeastOne(device.tables_.assumed.products)),
        operands(atLeastOne(device.tables_.assumed.operands)),
        chunks(atLeastOne(device.tables_.chunks)), tasks(atLeastOne(device.tables_.sums)),
        slices(atLeastOne(device.tables_.slices)),
        sources(atLeastOne(device.tables_.sources)), noting{device.noted} {
    const SliceMemory &memory = device.memory_;
    buffers = {{"loops", bytesOf(device.loops), false, !enters},
               {"moves", bytesOf(moves), false, true},
               {"strides", bytesOf(strides), false, true},
               {"resets", bytesOf(resets), false, true},
               {"products", bytesOf(products), false, true},
               {"operands", bytesOf(operands), false, true},
               {"states", bytesOf(memory.states)},
               {"initial states", bytesOf(memory.initialStates), false, true},
               {"finished", bytesOf(memory.finished)},
               {"faults", bytesOf(noting)},
               {"records", bytesOf(memory.records)},
               {"chunks", bytesOf(chunks), false, true},
               {"tasks", bytesOf(tasks), false, true},
               {"slices", bytesOf(slices), false, true},
               {"ranges", bytesOf(device.ranges_)},
               {"best", bytesOf(device.best)},
               {"sources", bytesOf(sources), false, true},
               {"inputs", bytesOf(memory.inputs), true},
               {"work", bytesOf(memory.work), true},
               {"arrived", bytesOf(device.arrived_)}};
  }

  void pointTo(size_t list, uint64_t at, std::initializer_list<Number> targets) {
    for (const Number target : targets) {
      pointers.push_back({list, at, target});
      at += sizeof(uint64_t);
    }
  }
  /// Adds the pointers to a table's entries and to its signs, which follow.
  void pointToTable(size_t list, uint64_t at, const Bundle &bundle, bool isInput) {
    const Number arena = isInput ? kInputs : kWork;
    pointTo(list, at, {arena});
    if (bundle.signedValues)
      pointTo(list, at + sizeof(uint64_t), {arena});
  }
  /// Adds the pointers of an enter launch. `at`: offset of this struct in the launch.
  void pointToEntry(uint64_t at) {
    pointTo(0, at,
            {kLoops, kMoves, kStrides, kResets, kProducts, kOperands, kStates, kInitialStates,
             kFinished, kFaults});
    for (size_t i = 0; i < moves.size(); ++i) {
      if (moves[i].strideCount != 0)
        pointTo(kMoves, i * sizeof(GpuSliceMove), {kRecords});
      if (moves[i].signAddress != 0)
        pointTo(kMoves, i * sizeof(GpuSliceMove) + sizeof(uint64_t), {kRecords});
    }
  }
  void pointToSums(uint64_t at, const Bundle &bundle) {
    pointTo(0, at, {kChunks, kTasks, kSlices, kRanges, kStates, kLoops, kBest, kSources, kFaults});
    for (size_t i = 0; i < tasks.size(); ++i)
      pointToTable(kTasks, i * sizeof(GpuSumTask), bundle, false);
    for (size_t i = 0; i < slices.size(); ++i) {
      const BufferId from(static_cast<size_t>(slices[i].state));
      pointToTable(kSlices, i * sizeof(GpuSumSlice), bundle, bundle.buffer(from).input);
    }
  }

  std::vector<GpuSliceMove> moves;
  std::vector<GpuSliceStride> strides;
  std::vector<GpuSliceReset> resets;
  std::vector<GpuAssumedProduct> products;
  std::vector<int32_t> operands;
  std::vector<GpuChunk> chunks;
  std::vector<GpuSumTask> tasks;
  std::vector<GpuSumSlice> slices;
  std::vector<GpuBestSource> sources;
  std::vector<GpuSliceFaults> noting;
  std::vector<Buffer> buffers;
  std::vector<PointerPlace> pointers;
};

template <class Launch>
void SliceDevice::run(const std::string &name, uint64_t blocks, uint32_t threads, Launch launch,
                      Lists &lists) {
  std::vector<Launch> launches = {launch};
  lists.buffers.insert(lists.buffers.begin(), {"launch", bytesOf(launches), false, true});
  simt::Launch shape;
  shape.gridBlocks = blocks;
  shape.blockThreads = threads;
  shape.pointers = lists.pointers;
  const std::vector<Argument> arguments = {Argument::buffer(0)};
  faults_ +=
      sliceProgram(bundle_.type).run("test_" + name, shape, lists.buffers, arguments).faultText();
  noted = lists.noting[0];
}

GpuEnterLaunch SliceDevice::enterLaunch(uint32_t loop) const {
  GpuEnterLaunch launch;
  launch.loop = tables_.loops[loop - 1];
  launch.operationCount = static_cast<int32_t>(bundle_.operations.size());
  if (isIntegerType(bundle_.type))
    launch.lostExponent = static_cast<int32_t>(integerBits(bundle_.type));
  return launch;
}

GpuSumLaunch SliceDevice::sumLaunch(const SliceSumGroup &group, uint32_t index) const {
  GpuSumLaunch launch;
  launch.chunks = tables_.groups[index].firstChunk * sizeof(GpuChunk);
  launch.loop = static_cast<int32_t>(group.loop - 1);
  launch.loopCount = static_cast<int32_t>(bundle_.sliced.size());
  launch.extent = static_cast<int32_t>(program_.extent(group.loop));
  return launch;
}

void SliceDevice::enter(uint32_t loop) {
  Lists lists(*this, true);
  lists.pointToEntry(0);
  const GpuEnterLaunch launch = enterLaunch(loop);
  run("mpf_enter_slice", 1, enterThreads(launch.loop), launch, lists);
}

void SliceDevice::add(const SliceSumGroup &group, uint32_t index) {
  Lists lists(*this, false);
  lists.pointToSums(0, bundle_);
  run("mpf_add_slices", tables_.groups[index].chunkCount, kSliceThreads, sumLaunch(group, index),
      lists);
}

void SliceDevice::step(const SliceSumGroup &group, uint32_t index) {
  Lists lists(*this, true);
  lists.pointToSums(offsetof(GpuStepLaunch, add), bundle_);
  lists.pointToEntry(offsetof(GpuStepLaunch, enter));
  lists.pointTo(0, offsetof(GpuStepLaunch, arrived), {Lists::kArrived});
  run("mpf_step_slices", tables_.groups[index].chunkCount, kSliceThreads,
      GpuStepLaunch{sumLaunch(group, index), enterLaunch(group.loop), 0}, lists);
}

std::vector<uint32_t> SliceDevice::bestNoted() const {
  const SliceRows rows(program_);
  const size_t loopCount = program_.counts.size();
  std::vector<uint32_t> all;
  for (uint32_t loop = 1; loop <= loopCount; ++loop) {
    const auto row = best.begin() + static_cast<std::ptrdiff_t>(
                                        rows.rowOf(loop, SliceStates(loopCount, 0)) * loopCount);
    all.insert(all.end(), row, row + static_cast<std::ptrdiff_t>(loopCount));
  }
  return all;
}

} // namespace mpf::simt
