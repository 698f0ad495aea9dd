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

SliceDevice::SliceDevice(const Bundle &bundle, const SliceMemory &memory, SliceTables tables,
                         std::string &faults)
    : best(bundle.sliced.size() * bundle.sliced.size(), 0), bundle_(bundle), memory_(memory),
      tables_(std::move(tables)), ranges_(std::max<size_t>(tables_.sums.size(), 1)),
      faults_(faults) {
  for (const GpuSliceLoop &loop : tables_.loops)
    loops.push_back(static_cast<uint32_t>(loop.extent - 1));
}

template <class Launch>
void SliceDevice::run(const std::string &name, uint64_t blocks, Launch launch,
                      std::vector<Buffer> buffers, std::vector<PointerPlace> pointers) {
  std::vector<Launch> launches = {launch};
  buffers.insert(buffers.begin(), {"launch", bytesOf(launches), false, true});
  simt::Launch shape;
  shape.gridBlocks = blocks;
  shape.blockThreads = kSliceThreads;
  shape.pointers = std::move(pointers);
  const std::vector<Argument> arguments = {Argument::buffer(0)};
  faults_ += sliceProgram(bundle_.type).run("test_" + name, shape, buffers, arguments).faultText();
}

void SliceDevice::enter(uint32_t loop) {
  GpuEnterLaunch launch;
  launch.loop = tables_.loops[loop - 1];
  if (isIntegerType(bundle_.type))
    launch.lostExponent = static_cast<int32_t>(integerBits(bundle_.type));
  // The checker fills in addresses.
  auto moves = atLeastOne(tables_.moves);
  auto strides = atLeastOne(tables_.strides);
  auto resets = atLeastOne(tables_.resets);
  auto products = atLeastOne(tables_.assumed.products);
  auto operands = atLeastOne(tables_.assumed.operands);
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
  run("mpf_enter_slice", 1, launch, std::move(buffers), std::move(pointers));
  noted = noting[0];
}

void SliceDevice::add(const SliceSumGroup &group, uint32_t index) {
  const SliceTables::Group &made = tables_.groups[index];
  GpuSumLaunch launch;
  launch.chunks = made.firstChunk * sizeof(GpuChunk);
  launch.sources = made.firstSource * sizeof(GpuBestSource);
  launch.loop = static_cast<int32_t>(group.loop - 1);
  launch.loopCount = static_cast<int32_t>(bundle_.sliced.size());
  launch.sourceCount = static_cast<int32_t>(made.sourceCount);
  std::vector<GpuSumTask> tasks = tables_.sums;
  auto chunks = tables_.chunks;
  auto sources = atLeastOne(tables_.sources);
  std::vector<GpuSliceFaults> noting = {noted};
  std::vector<Buffer> buffers = {{"chunks", bytesOf(chunks), false, true},
                                 {"tasks", bytesOf(tasks), false, true},
                                 {"ranges", bytesOf(ranges_)},
                                 {"states", bytesOf(memory_.states)},
                                 {"loops", bytesOf(loops), false, true},
                                 {"best", bytesOf(best)},
                                 {"sources", bytesOf(sources), false, true},
                                 {"faults", bytesOf(noting)},
                                 {"inputs", bytesOf(memory_.inputs), true},
                                 {"work", bytesOf(memory_.work), true}};
  constexpr size_t kTasks = 2, kInputs = 9, kWork = 10;
  std::vector<PointerPlace> pointers;
  for (size_t p = 0; p < 8; ++p)
    pointers.push_back({0, p * sizeof(uint64_t), p + 1});
  for (size_t i = 0; i < tasks.size(); ++i) {
    const BundleOperation &operation = bundle_.operations[static_cast<size_t>(tasks[i].operation)];
    const size_t from = bundle_.buffer(operation.operands[0].buffer).input ? kInputs : kWork;
    const uint64_t at = i * sizeof(GpuSumTask);
    pointers.push_back({kTasks, at, from});
    pointers.push_back({kTasks, at + 2 * sizeof(uint64_t), kWork});
    if (!bundle_.signedValues)
      continue;
    pointers.push_back({kTasks, at + sizeof(uint64_t), from});
    pointers.push_back({kTasks, at + 3 * sizeof(uint64_t), kWork});
  }
  run("mpf_add_slices", made.chunkCount, launch, std::move(buffers), std::move(pointers));
  noted = noting[0];
}

} // namespace mpf::simt
