#include "tests/simt/slice_device.h"

#include "tests/simt/launch_program.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>
#include <span>
#include <utility>

namespace mpf::simt {

namespace {

template <class T> std::span<std::byte> bytesOf(std::vector<T> &values) {
  return std::as_writable_bytes(std::span(values));
}

/// The checker wants memory where a list has nothing.
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
                                             {"mpf_add_slices", "MpfSumLaunch"}};
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

template <class Launch>
void SliceDevice::run(const std::string &name, uint64_t blocks, uint32_t threads, Launch launch,
                      std::vector<Buffer> buffers, std::vector<PointerPlace> pointers) {
  std::vector<Launch> launches = {launch};
  buffers.insert(buffers.begin(), {"launch", bytesOf(launches), false, true});
  simt::Launch shape;
  shape.gridBlocks = blocks;
  shape.blockThreads = threads;
  shape.pointers = std::move(pointers);
  const std::vector<Argument> arguments = {Argument::buffer(0)};
  faults_ += sliceProgram(bundle_.type).run("test_" + name, shape, buffers, arguments).faultText();
}

void SliceDevice::enter(uint32_t loop) {
  GpuEnterLaunch launch;
  launch.loop = tables_.loops[loop - 1];
  launch.operationCount = static_cast<int32_t>(bundle_.operations.size());
  if (isIntegerType(bundle_.type))
    launch.lostExponent = static_cast<int32_t>(integerBits(bundle_.type));
  // The checker fills in addresses.
  auto moves = atLeastOne(tables_.moves);
  auto strides = atLeastOne(tables_.strides);
  auto resets = atLeastOne(tables_.resets);
  auto products = atLeastOne(tables_.products);
  auto operands = atLeastOne(tables_.operands);
  std::vector<GpuSliceFaults> noting = {noted};
  std::vector<Buffer> buffers = {{"loops", bytesOf(loops)},
                                 {"moves", bytesOf(moves), false, true},
                                 {"strides", bytesOf(strides), false, true},
                                 {"resets", bytesOf(resets), false, true},
                                 {"products", bytesOf(products), false, true},
                                 {"operands", bytesOf(operands), false, true},
                                 {"states", bytesOf(memory_.states)},
                                 {"initial states", bytesOf(memory_.initialStates), false, true},
                                 {"finished", bytesOf(memory_.finished)},
                                 {"faults", bytesOf(noting)},
                                 {"records", bytesOf(memory_.records)}};
  constexpr size_t kMoves = 2, kRecords = 11;
  std::vector<PointerPlace> pointers;
  for (size_t p = 0; p < 10; ++p) // in the order of the struct's pointers
    pointers.push_back({0, p * sizeof(uint64_t), p + 1});
  for (size_t i = 0; i < tables_.moves.size(); ++i) {
    pointers.push_back({kMoves, i * sizeof(GpuSliceMove), kRecords});
    if (moves[i].signAddress != 0)
      pointers.push_back({kMoves, i * sizeof(GpuSliceMove) + sizeof(uint64_t), kRecords});
  }
  run("mpf_enter_slice", 1, enterThreads(launch.loop), launch, std::move(buffers),
      std::move(pointers));
  noted = noting[0];
}

void SliceDevice::add(const SliceSumGroup &group, uint32_t index) {
  const SliceTables::Group &made = tables_.groups[index];
  GpuSumLaunch launch;
  launch.chunks = made.firstChunk * sizeof(GpuChunk);
  launch.loop = static_cast<int32_t>(group.loop - 1);
  launch.loopCount = static_cast<int32_t>(bundle_.sliced.size());
  launch.extent = static_cast<int32_t>(program_.extent(group.loop));
  std::vector<GpuSumTask> tasks = tables_.sums;
  std::vector<GpuSumSlice> slices = tables_.slices;
  auto chunks = tables_.chunks;
  auto sources = atLeastOne(tables_.sources);
  std::vector<GpuSliceFaults> noting = {noted};
  std::vector<Buffer> buffers = {{"chunks", bytesOf(chunks), false, true},
                                 {"tasks", bytesOf(tasks), false, true},
                                 {"slices", bytesOf(slices), false, true},
                                 {"ranges", bytesOf(ranges_)},
                                 {"states", bytesOf(memory_.states)},
                                 {"loops", bytesOf(loops), false, true},
                                 {"best", bytesOf(best)},
                                 {"sources", bytesOf(sources), false, true},
                                 {"faults", bytesOf(noting)},
                                 {"inputs", bytesOf(memory_.inputs), true},
                                 {"work", bytesOf(memory_.work), true}};
  constexpr size_t kTasks = 2, kSlices = 3, kInputs = 10, kWork = 11;
  std::vector<PointerPlace> pointers;
  for (size_t p = 0; p < 9; ++p)
    pointers.push_back({0, p * sizeof(uint64_t), p + 1});
  const auto point = [&](size_t list, uint64_t at, size_t arena) {
    pointers.push_back({list, at, arena});
    if (bundle_.signedValues)
      pointers.push_back({list, at + sizeof(uint64_t), arena});
  };
  for (size_t i = 0; i < tasks.size(); ++i)
    point(kTasks, i * sizeof(GpuSumTask), kWork);
  for (size_t i = 0; i < slices.size(); ++i) {
    const BufferId from(static_cast<size_t>(slices[i].state));
    point(kSlices, i * sizeof(GpuSumSlice), bundle_.buffer(from).input ? kInputs : kWork);
  }
  run("mpf_add_slices", made.chunkCount, kSliceThreads, launch, std::move(buffers),
      std::move(pointers));
  noted = noting[0];
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
