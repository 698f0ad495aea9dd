#include "runtime/machine/quick_look.h"

#include "dsl/support/check.h"
#include "dsl/support/median.h"
#include "dsl/support/system/system_text.h"
#include "dsl/support/table_layout.h"
#include "runtime/execute/compiled/compiled_cost.h"
#include "runtime/execute/cpu/prepare_operation.h"
#include "runtime/execute/cpu_executor.h"
#include "runtime/execute/host/aligned_memory.h"
#include "runtime/execute/host/bind_input.h"
#include "runtime/machine/path_curve.h"
#include "runtime/schedule/build_schedule.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <ctime>
#include <fmt/format.h>
#include <limits>
#include <utility>
#include <vector>

namespace mpf {

namespace {

using Clock = std::chrono::steady_clock;

double microsecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

/// Returns the processor time of this thread, which other processes do not lengthen. 0: the system
/// does not count it.
double threadUs() {
  timespec now{};
  if (::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0)
    return 0;
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

/// Returns the median time of the first touch of `page` bytes in a new block, without the time in
/// which the thread did not run. Large pages stop after kMostTouchUs: they may take a millisecond
/// each.
double touchedPageUs(uint64_t blockBytes, uint64_t page) {
  constexpr double kMostTouchUs = 15'000;
  constexpr size_t kLeastPages = 3; // one page may be an exception
  const AlignedMemory block(blockBytes, "a look at the machine");
  std::vector<double> times;
  const Clock::time_point began = Clock::now();
  for (uint64_t at = 0; at + page <= blockBytes; at += page) {
    if (times.size() >= kLeastPages && microsecondsSince(began) >= kMostTouchUs)
      break;
    const double beganUs = threadUs();
    for (uint64_t small = 0; small < page; small += kSmallTouchBytes) // if no page is huge
      *static_cast<volatile std::byte *>(block.data() + at + small) = std::byte{1};
    times.push_back(threadUs() - beganUs);
  }
  return median(std::move(times));
}

/// `count` equal operations: result[x, z] = sum over y of a[x, y] * b[y, z].
struct Sample {
  uint32_t rows, depth, columns, count;
};

// Operations of a few entries; sums in tiles; products in rows, in the caches and beyond them.
constexpr Sample kTiny{2, 2, 2, 256}, kTiles{96, 96, 96, 4}, kNearRows{1, 64, 64, 64},
    kFarRows{1, 1024, 1024, 1};

Bundle bundleOf(const Sample &sample) {
  Bundle bundle;
  bundle.name = "look";
  const auto variable = [&bundle](const char *name, uint32_t extent) {
    bundle.variables.push_back({name, extent, {}});
    return VarId(bundle.variables.size() - 1);
  };
  const VarId x = variable("x", sample.rows), y = variable("y", sample.depth),
              z = variable("z", sample.columns);
  const auto buffer = [&bundle](const std::string &name, uint64_t elems, bool isInput) {
    uint64_t &arena = isInput ? bundle.inputArenaBytes : bundle.workArenaBytes;
    bundle.buffers.push_back({name, elems, arena, isInput});
    arena += roundUp(bufferBytes(elems, bundle.type, false), tableAlignBytes(UINT64_MAX));
    return BufferId(bundle.buffers.size() - 1);
  };
  const auto input = [&](const char *name, std::vector<VarId> scope, uint64_t elems) {
    const BufferId id = buffer(name, elems, true);
    bundle.inputs.push_back({id, name, scope, scope, static_cast<uint32_t>(bundle.tables.size())});
    bundle.tables.push_back(std::make_shared<const std::vector<double>>(elems, 0.5));
    return id;
  };
  // Samples of one row are products, entry by entry: nothing is summed.
  const bool isProduct = sample.rows == 1;
  const uint64_t depth = sample.depth, columns = sample.columns;
  const BufferId a = input("a", {x, y}, sample.rows * depth);
  const BufferId b = input("b", {y, z}, depth * columns);
  for (uint32_t i = 0; i < sample.count; ++i) {
    BundleOperation operation;
    operation.name = fmt::format("m{}", i);
    operation.semiring = {Reduce::Sum, Combine::Times};
    const BufferId result =
        buffer(operation.name, isProduct ? depth * columns : sample.rows * columns, false);
    if (isProduct) {
      operation.digits = {{sample.depth, false}, {sample.columns, false}};
      operation.operands = {{a, {1, 0}, {}}, {b, {columns, 1}, {}}};
      operation.result = {result, {columns, 1}, {}};
    } else {
      operation.digits = {{sample.rows, false}, {sample.columns, false}, {sample.depth, true}};
      operation.operands = {{a, {depth, 0, 1}, {}}, {b, {0, 1, columns}, {}}};
      operation.result = {result, {columns, 1, 0}, {}};
    }
    bundle.operations.push_back(std::move(operation));
  }
  return bundle;
}

/// Returns the measured time of the sample over its time on the machine of `speed`, from
/// 1 / kMostFactor to kMostFactor. 1: the clock of threads is too coarse.
double factorOf(const Sample &sample, const CpuSpeed &speed) {
  constexpr int kRuns = 5;
  const Bundle bundle = bundleOf(sample);
  const TileTarget target = tileTarget(cpuKernels<double>(), 1);
  const CpuOperation prepared = prepareOperation(bundle.operations.front(), false, target);
  const double expectedUs =
      curveOf(prepared.path, speed).timeUs(builtInTimeNs(prepared) * 1e-3) * sample.count;
  CpuOptions options;
  options.threads = 1;
  const auto executor = makeCpuExecutor(bundle, options);
  bindTables(bundle, *executor);
  const Schedule schedule = buildSchedule(bundle, DeviceId::cpu());
  double leastUs = std::numeric_limits<double>::infinity();
  for (int run = 0; run <= kRuns; ++run) {
    const double beganUs = threadUs();
    executor->run(schedule.steps, {});
    if (run > 0) // the first run touches its memory
      leastUs = std::min(leastUs, threadUs() - beganUs);
  }
  constexpr double kMostFactor = 16;
  return leastUs > 0 ? std::clamp(leastUs / expectedUs, 1 / kMostFactor, kMostFactor) : 1;
}

/// Returns the curve, with its times multiplied by `near` for operations that stay in the caches,
/// by `far` for those beyond them, and by factors between these between them.
TimeCurve scaled(const TimeCurve &curve, double near, double far) {
  constexpr double kNearUs = 30, kFarUs = 1000; ///< times of the model
  std::vector<TimePoint> points(curve.points().begin(), curve.points().end());
  double leastUs = 0;
  for (TimePoint &point : points) {
    const double share =
        std::clamp(std::log(point.modelUs / kNearUs) / std::log(kFarUs / kNearUs), 0.0, 1.0);
    point.timeUs =
        std::max(leastUs, point.timeUs * std::pow(near, 1 - share) * std::pow(far, share));
    leastUs = point.timeUs;
  }
  return TimeCurve(std::move(points));
}

} // namespace

double lastCacheBytes(const std::string &sys) {
  constexpr int kMostCaches = 8;
  double largest = 0;
  for (int i = 0; i < kMostCaches; ++i) {
    const std::string size =
        systemText(fmt::format("{}/devices/system/cpu/cpu0/cache/index{}/size", sys, i));
    uint64_t kibibytes = 0;
    const char *const end = size.data() + size.size();
    const auto [unit, problem] = std::from_chars(size.data(), end, kibibytes);
    constexpr uint64_t kMostKibibytes = uint64_t{1} << 24; // 16 GiB
    if (problem == std::errc() && unit != end && *unit == 'K' && kibibytes < kMostKibibytes)
      largest = std::max(largest, 1024.0 * static_cast<double>(kibibytes));
  }
  return largest;
}

CpuSpeed lookAtCpu(const CpuSpeed &shipped) {
  CpuSpeed speed = shipped;
  // The look mostly finds pages that some process has just returned. A machine takes several times
  // as long for pages that it has not used for seconds, so a low time promises nothing.
  constexpr double kMostFactor = 10; // beyond it something else was measured
  const auto touch = [](double shippedUs, double measuredUs) {
    return std::clamp(measuredUs, shippedUs, kMostFactor * shippedUs);
  };
  speed.memory.largeTouchUs =
      touch(shipped.memory.largeTouchUs, touchedPageUs(uint64_t{16} << 20, kLargeTouchBytes));
  speed.memory.smallTouchUs =
      touch(shipped.memory.smallTouchUs, touchedPageUs(uint64_t{1} << 20, kSmallTouchBytes));
  if (const double bytes = lastCacheBytes("/sys"); bytes > 0)
    speed.memory.cacheBytes = std::min(bytes, shipped.memory.cacheBytes);
  const double tiny = factorOf(kTiny, shipped), tiles = factorOf(kTiles, shipped);
  const double near = factorOf(kNearRows, shipped), far = factorOf(kFarRows, shipped);
  speed.entries = scaled(shipped.entries, tiny, near);
  speed.rows = scaled(shipped.rows, near, far);
  speed.tiles = scaled(shipped.tiles, tiles, std::sqrt(tiles * far));
  speed.compiled = scaled(shipped.compiled, near, far);
  speed.logs = scaled(shipped.logs, tiny, near);
  speed.integers = scaled(shipped.integers, tiny, near);
  return speed;
}

} // namespace mpf
