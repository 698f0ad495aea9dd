// Reads any bytes as a launch plan of a small bundle: a chain of two operations with specialised
// kernels, then a small operation.
#include "dsl/support/check.h"
#include "dsl/support/error.h"
#include "runtime/schedule/launches/build_launch_plan.h"
#include "runtime/schedule/launches/print_launch_plan.h"
#include "runtime/schedule/launches/verify_launch_plan.h"
#include "tests/fuzz/fuzz_input.h"

using namespace mpf;

namespace {

Bundle smallBundle() {
  Bundle bundle;
  bundle.tableDriven = 0;
  for (const char *name : {"table", "first", "second", "both"})
    bundle.kernels.emplace_back().name = name;
  for (uint32_t i = 0; i < 4; ++i)
    bundle.buffers.push_back({fmt::format("b{}", i), 64, uint64_t{512} * i, i == 0});
  bundle.inputs.emplace_back().buffer = BufferId(size_t{0});
  for (uint32_t i = 0; i < 3; ++i) {
    BundleOperation &operation = bundle.operations.emplace_back();
    operation.name = fmt::format("m{}", i);
    operation.digits = {{64, false}, {i < 2 ? 4096U : 1U, true}};
    operation.operands = {{BufferId(size_t{i}), {1, 0}, {}}};
    operation.result = {BufferId(size_t{i} + 1), {1, 0}, {}};
    if (i < 2)
      operation.kernel = 1 + i;
  }
  bundle.chains = {{0, 2, 0, 3}};
  return bundle;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const Bundle kBundle = smallBundle();
  LaunchPlan plan;
  try {
    plan = readLaunchPlan({reinterpret_cast<const char *>(data), size});
  } catch (const Error &error) {
    MPF_CHECK(error.kind() == ErrorKind::BadInput, "{}", error.what());
    return 0;
  }
  if (!findFault(plan, kBundle, {}).empty())
    return 0;
  const std::string text = printLaunchPlan(plan, kBundle);
  MPF_CHECK(readLaunchPlan(text) == plan, "{} reads back as another plan", text);
  return 0;
}
