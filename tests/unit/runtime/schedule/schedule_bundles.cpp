#include "tests/unit/runtime/schedule/schedule_bundles.h"

namespace mpf {

std::string waitingSource() {
  return "extern \"C\" __global__ void k(int mode) {\n  MPF_GRID_BEGIN(mode);\n"
         "  MPF_GRID_STORES(mode);\n  MPF_GRID_END(mode);\n}\n";
}

namespace {

constexpr uint64_t kTableElems = 64;

uint64_t below(std::mt19937_64 &random, uint64_t count) { return random() % count; }

size_t addBuffer(Bundle &bundle, bool input, uint64_t offsetBytes) {
  const size_t index = bundle.buffers.size();
  bundle.buffers.push_back({fmt::format("b{}", index), kTableElems, offsetBytes, input});
  if (input) {
    BundleInput entry;
    entry.buffer = BufferId(index);
    bundle.inputs.push_back(entry);
  }
  return index;
}

uint32_t addKernel(Bundle &bundle) {
  BundleKernel kernel;
  kernel.name = fmt::format("k{}", bundle.kernels.size());
  kernel.source = waitingSource();
  kernel.gridBlocks = 1 + bundle.kernels.size();
  bundle.kernels.push_back(kernel);
  return static_cast<uint32_t>(bundle.kernels.size() - 1);
}

/// Returns operands: the result of `previous`, if given, then an input or any earlier result.
void addOperation(Bundle &bundle, std::mt19937_64 &random, std::optional<size_t> previous,
                  uint32_t loop) {
  BundleOperation operation;
  operation.name = fmt::format("m{}", bundle.operations.size());
  operation.digits = {{64, false}, {below(random, 2) == 0 ? 2u : 4096u, true}};
  if (below(random, 4) == 0) // results that a level does not bring back to linear form
    operation.digits.insert(operation.digits.begin() + 1, {512, false});
  std::vector<uint64_t> strides(operation.digits.size(), 0);
  strides[0] = 1;
  if (previous)
    operation.operands.push_back({BufferId(*previous), strides, {}});
  operation.operands.push_back({BufferId(below(random, bundle.buffers.size())), strides, {}});
  // Half of the memory is used repeatedly.
  const size_t result =
      addBuffer(bundle, false, 512 * below(random, below(random, 2) == 0 ? 6 : 60));
  operation.result = {BufferId(result), strides, {}};
  operation.loop = bundle.sliced.empty() ? 0 : loop;
  if (below(random, 3) == 0)
    operation.kernel = addKernel(bundle);
  bundle.operations.push_back(std::move(operation));
}

/// Adds up the result of the last operation over the slices of its loop.
void addSum(Bundle &bundle, uint32_t loop) {
  BundleOperation operation;
  operation.name = fmt::format("m{}", bundle.operations.size());
  operation.digits = {{64, false}};
  operation.operands = {{BufferId(bundle.buffers.size() - 1), {1}, {}}};
  operation.result = {BufferId(addBuffer(bundle, false, 512 * bundle.buffers.size())), {1}, {}};
  operation.loop = loop;
  operation.accumulates = true;
  bundle.operations.push_back(std::move(operation));
}

} // namespace

Bundle randomScheduleBundle(std::mt19937_64 &random) {
  Bundle bundle;
  bundle.name = "random";
  bundle.tableDriven = addKernel(bundle);
  for (size_t i = 0; i < 4; ++i)
    addBuffer(bundle, true, 512 * i);
  const size_t count = 2 + below(random, 12);
  uint32_t loop = 0; // its operations are contiguous: it begins and ends once
  if (below(random, 3) == 0) {
    bundle.sliced = {VarId(size_t{0})};
    bundle.loops = LoopTree({0});
  }
  bool hasEnded = bundle.sliced.empty();
  while (bundle.operations.size() < count) {
    const auto first = static_cast<uint32_t>(bundle.operations.size());
    if (!hasEnded && below(random, 4) == 0) {
      if (loop == 1)
        addSum(bundle, loop);
      hasEnded = loop == 1;
      loop = 1 - loop;
      continue;
    }
    if (below(random, 4) != 0) {
      addOperation(bundle, random, std::nullopt, loop);
      continue;
    }
    addOperation(bundle, random, below(random, 4), loop);
    const uint64_t more = 1 + below(random, 3);
    for (uint64_t i = 0; i < more; ++i)
      addOperation(bundle, random, bundle.buffers.size() - 1, loop);
    bundle.chains.push_back({first, static_cast<uint32_t>(more + 1), 0, addKernel(bundle)});
  }
  return bundle;
}

LaunchOptions randomLaunchOptions(const Bundle &bundle, std::mt19937_64 &random) {
  LaunchOptions options;
  options.inputStates.resize(bundle.buffers.size());
  for (const BundleInput &input : bundle.inputs)
    options.inputStates[input.buffer.index()] = {0, below(random, 3) == 0 ? -900 : -10, 0, 0};
  if (below(random, 2) == 0)
    for (size_t i = 0; i < bundle.operations.size(); ++i)
      options.runs.push_back(below(random, 4) != 0);
  for (size_t i = 0; i < bundle.kernels.size(); ++i)
    options.waits.push_back(below(random, 4) != 0);
  options.multiprocessors = 1 + static_cast<uint32_t>(below(random, 132));
  options.grouped = below(random, 4) != 0;
  options.assumesLinear = below(random, 3) == 0;
  options.hostLooks = below(random, 3) != 0;
  options.joins.which = static_cast<JoinLevels>(below(random, 3));
  options.joins.residentBlocks = below(random, 4) == 0 ? below(random, 4) : below(random, 300);
  options.joins.speed.launchUs = 2; // or no wait is ever worth a launch
  options.joins.speed.waitUs = static_cast<double>(below(random, 3));
  return options;
}

} // namespace mpf
