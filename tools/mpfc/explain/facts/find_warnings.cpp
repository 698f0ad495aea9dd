#include "tools/mpfc/explain/facts/find_warnings.h"

#include "codegen/bundle/table_state.h"
#include "dsl/support/number_text.h"
#include "runtime/schedule/launches/build_launch_plan.h"
#include "runtime/schedule/launches/range_bounds.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace mpf {

namespace {

constexpr double kNearBound = 0.8;
/// Most addresses of a bucket without a warning: larger ones take minutes on the fastest device
/// there is.
constexpr double kWideLog2Addresses = 36;

void add(QueryExplanation &explanation, WarningKind kind, std::string text) {
  explanation.warnings.push_back({kind, std::move(text)});
}

void warnOfMemory(const Target &target, QueryExplanation &explanation) {
  const MemoryFacts &memory = explanation.memory;
  const bool isBeyond = memory.peakBytes == UINT64_MAX;
  const double peak =
      isBeyond ? std::exp2(memory.log2PeakBytes) : static_cast<double>(memory.peakBytes);
  const std::string need = isBeyond ? fmt::format("2^{:.1f} bytes", memory.log2PeakBytes)
                                    : formatBytes(memory.peakBytes);
  if (memory.boundBytes && memory.peakBytes <= *memory.boundBytes &&
      peak > kNearBound * static_cast<double>(*memory.boundBytes))
    add(explanation, WarningKind::Memory,
        fmt::format("the plan needs {}, {:.0f} % of the bound of {}", need,
                    100 * peak / static_cast<double>(*memory.boundBytes),
                    formatBytes(*memory.boundBytes)));
  if (explanation.showsGpu() && peak > static_cast<double>(memory.deviceBytes))
    add(explanation, WarningKind::Memory,
        fmt::format("the plan needs {}, more than the {} of {}", need,
                    formatBytes(memory.deviceBytes), target.name));
}

void warnOfWidth(QueryExplanation &explanation) {
  size_t wide = 0;
  const BucketFacts *widest = nullptr;
  for (const BucketFacts &bucket : explanation.buckets) {
    if (std::log2(bucket.addresses) <= kWideLog2Addresses)
      continue;
    ++wide;
    if (widest == nullptr || bucket.addresses > widest->addresses)
      widest = &bucket;
  }
  if (wide != 0)
    add(explanation, WarningKind::Width,
        fmt::format("{} bucket{} of more than 2^{:.0f} addresses; the widest, {}, joins {} "
                    "variables and has 2^{:.1f}",
                    wide, wide == 1 ? "" : "s", kWideLog2Addresses, widest->name, widest->variables,
                    std::log2(widest->addresses)));
}

void warnOfSpills(const Target &target, QueryExplanation &explanation) {
  for (const DearBucket &dear : explanation.costliest) {
    if (!dear.kernel)
      continue;
    const LaunchShape &launch = dear.kernel->header().launch;
    const uint64_t threads = uint64_t{launch.blockThreads} * std::max(launch.minBlocksPerSm, 1U);
    const uint64_t available =
        std::min<uint64_t>(target.maxRegistersPerThread, target.registersPerSm / threads);
    if (launch.estimatedRegisters > available)
      add(explanation, WarningKind::Spill,
          fmt::format("the kernel of {} wants {} registers per thread, {} are there: it may spill",
                      explanation.buckets[dear.bucket].name, launch.estimatedRegisters, available));
  }
}

} // namespace

void warnOfPlan(const Target &target, QueryExplanation &explanation) {
  warnOfMemory(target, explanation);
  warnOfWidth(explanation);
  if (explanation.showsGpu())
    warnOfSpills(target, explanation);
}

void warnOfRange(const Bundle &bundle, QueryExplanation &explanation) {
  if (bundle.forcedLog || bundle.logInputs)
    return; // in logs from the start, by option or by the kind of query
  for (const BundleInput &input : bundle.inputs)
    if (!input.table)
      return; // bound by the host program: its range is unknown
  const std::vector<bool> linear = provablyLinear(bundle, rangesOfInputs(bundle)).operations;
  const auto first = std::find(linear.begin(), linear.end(), false);
  if (first == linear.end())
    return;
  add(explanation, WarningKind::Range,
      fmt::format("{} of {} operations, {} first, may leave the range of {}: {}",
                  std::count(linear.begin(), linear.end(), false), linear.size(),
                  bundle.operations[static_cast<size_t>(first - linear.begin())].name,
                  elementTypeName(bundle.type),
                  isIntegerType(bundle.type)
                      ? "every product and sum of theirs is checked, which is slower, and the run "
                        "ends if one overflows"
                      : "those that do are computed in logs, which is slower"));
}

} // namespace mpf
