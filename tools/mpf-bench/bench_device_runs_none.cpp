#include "dsl/support/check.h"
#include "tools/mpf-bench/bench_device_runs.h"

namespace mpf::bench {

void benchDeviceRuns(const RunBenchOptions &) {
  fail(ErrorKind::Device, "this mpf-bench was built without CUDA (MPF_ENABLE_CUDA)");
}

} // namespace mpf::bench
