// Runs one bundle on the machine's GPU and downloads every table.
#pragma once

#include "runtime/execute/gpu/runs/gpu_executor.h"

#include <memory>

namespace mpf::oracle {

/// Binds the bundle's own tables and runs it `runs` times, from the second time on as a graph.
/// Buffers that share memory hold their last contents.
std::unique_ptr<Executor> runOnGpu(const Bundle &bundle, size_t verifySamples = 0,
                                   bool profile = false, const GpuOptions &options = {},
                                   unsigned runs = 1);

} // namespace mpf::oracle
