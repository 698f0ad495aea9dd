// Bundles of table-driven operations, made by hand, and their launch plans.
#pragma once

#include "runtime/schedule/launches/build_launch_plan.h"
#include "runtime/schedule/launches/verify_launch_plan.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <vector>

namespace mpf {

inline constexpr uint32_t kMultiprocessors = 100;

/// A bundle that begins with one input of 64 entries. Results have separate memory, in steps of
/// 1024 bytes.
class LevelBundle {
public:
  LevelBundle() {
    bundle_.tableDriven = 0;
    bundle_.kernels.emplace_back().name = "table";
    bundle_.buffers.push_back({"b0", 64, 0, true});
    bundle_.inputs.emplace_back().buffer = BufferId(size_t{0});
  }

  /// Adds an operation that reads buffers, by number; operation i writes buffer i + 1.
  LevelBundle &operation(uint64_t outputs, uint64_t terms, const std::vector<size_t> &reads) {
    BundleOperation operation;
    operation.name = fmt::format("m{}", bundle_.operations.size());
    operation.digits = {{outputs, false}, {terms, true}};
    for (const size_t read : reads)
      operation.operands.push_back({BufferId(read), {1, 0}, {}});
    const size_t result = bundle_.buffers.size();
    bundle_.buffers.push_back({fmt::format("b{}", result), 64, 1024 * result, false});
    operation.result = {BufferId(result), {1, 0}, {}};
    bundle_.operations.push_back(std::move(operation));
    return *this;
  }
  LevelBundle &at(size_t buffer, uint64_t offsetBytes) {
    bundle_.buffers[buffer].offsetBytes = offsetBytes;
    return *this;
  }
  Bundle &bundle() { return bundle_; }

  LaunchPlan plan(const JoinOptions &joins = {}) {
    LaunchOptions options;
    options.joins = joins;
    options.inputStates.resize(bundle_.buffers.size());
    options.inputStates[0] = {0, -1, 0, 0};
    options.multiprocessors = kMultiprocessors;
    LaunchPlan plan = buildLaunchPlan(bundle_, options);
    EXPECT_EQ(findFault(plan, bundle_, {}, {}, joins.residentBlocks), "");
    return plan;
  }

private:
  Bundle bundle_;
};

} // namespace mpf
