#include "tools/mpf-bench/measure/time_gpu_lanes.h"

#include "codegen/emit/lane_kernel_choice.h"
#include "codegen/emit/lanes/team_source.h"
#include "dsl/support/error.h"
#include "dsl/support/system/thread_count.h"
#include "runtime/execute/gpu/lanes/gpu_lanes.h"
#include "runtime/execute/threads/thread_pool.h"
#include "tools/mpf-bench/measure/clock_seconds.h"

#include <algorithm>

namespace mpf::bench {

namespace {

constexpr int kTransfers = 5; ///< most transfers that are timed; the fastest counts
constexpr size_t kLeastLaunches = 5;

/// Attributes of CUDA's driver: kHz, kHz, bits.
constexpr int kAttributeClock = 13, kAttributeMemoryClock = 36, kAttributeMemoryBits = 37;

CardRates ratesOf(const CudaDevice &device) {
  const CudaLibrary &driver = device.driver();
  const auto attribute = [&](int number) {
    int value = 0, handle = 0;
    const bool isTold =
        driver.deviceGet(&handle, 0) == 0 && driver.deviceAttribute(&value, number, handle) == 0;
    return isTold ? static_cast<double>(value) : 0;
  };
  const double edgesPerMs = 2 * attribute(kAttributeMemoryClock);
  return {device.properties().arch, device.properties().smCount, attribute(kAttributeClock) * 1e-6,
          edgesPerMs * attribute(kAttributeMemoryBits) / 8 * 1e-3};
}

void timeTransfers(GpuLanes &lanes, const CaseBlock &block, double seconds, GpuLaneTimes &times) {
  const double began = clockSeconds(false);
  for (int i = 0; i == 0 || (i < kTransfers && clockSeconds(false) - began < seconds); ++i) {
    const double before = clockSeconds(false);
    lanes.whole().upload(block);
    lanes.device().synchronize();
    const double uploaded = clockSeconds(false);
    lanes.whole().launch();
    lanes.device().synchronize();
    const double launched = clockSeconds(false);
    lanes.whole().fetch(times.answers, times.left);
    const double upload = (uploaded - before) * 1e6;
    const double fetch = (clockSeconds(false) - launched) * 1e6;
    times.uploadUs = i == 0 ? upload : std::min(times.uploadUs, upload);
    times.fetchUs = i == 0 ? fetch : std::min(times.fetchUs, fetch);
  }
}

std::optional<LaneKernel> kernelOf(const LaneProgram &program, const CommonTables &common,
                                   const LinearPlan &plan, ElementType type,
                                   const std::string &kind) {
  if (kind == "table-driven")
    return std::nullopt;
  if (kind == "threads")
    return emitLanes(program, common, plan, type);
  if (kind == "teams")
    return emitTeams(program, plan, type);
  return emitLaneKernel(program, common, plan, type);
}

} // namespace

std::optional<GpuLaneTimes> timeGpuLanes(const LaneProgram &program, const CommonTables &common,
                                         ElementType type, const CaseBlock &block, double seconds,
                                         const std::string &kind, uint64_t teamWarps) {
  const LinearPlan plan = planLinear(program, common, type);
  if (!plan.possible)
    return std::nullopt;
  const std::optional<LaneKernel> kernel = kernelOf(program, common, plan, type, kind);
  if (!kernel && (kind == "threads" || kind == "teams"))
    return std::nullopt;
  const double before = clockSeconds(false);
  ThreadPool pool(threadCount(0)); // packs the cases, and reads the answers
  GpuOptions options;
  options.pool = &pool;
  const std::unique_ptr<GpuLanes> opened =
      kernel ? makeGpuLaneKernel(program, common, plan, *kernel, type, options)
             : makeGpuTeams(program, common, plan, teamSource(type), type, options, teamWarps);
  GpuLanes &lanes = *opened;
  GpuLaneTimes times;
  times.kernel = !kernel                                      ? "table-driven"
                 : kernel->blockCases == kernel->blockThreads ? "threads"
                                                              : "teams";
  times.compileSeconds = clockSeconds(false) - before;
  times.device = lanes.deviceName();
  times.card = ratesOf(lanes.device());
  shapeAnswers(program, block.count, times.answers);
  timeTransfers(lanes, block, seconds, times);
  const CudaEvent start(lanes.device()), end(lanes.device());
  for (double passed = 0; times.launchUs.size() < kLeastLaunches || passed < seconds * 1e6;
       passed += times.launchUs.back()) {
    start.record();
    lanes.whole().launch();
    end.record();
    lanes.device().synchronize();
    times.launchUs.push_back(end.microsecondsSince(start));
  }
  return times;
}

} // namespace mpf::bench
