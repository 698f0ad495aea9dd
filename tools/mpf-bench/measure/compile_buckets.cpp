#include "tools/mpf-bench/measure/compile_buckets.h"
#include "dsl/support/system/thread_count.h"
#include "runtime/compile/nvrtc_compiler.h"

#include <algorithm>

namespace mpf::bench {

namespace {

KernelStoreOptions storeOptions(const MeasureOptions &options) {
  KernelStoreOptions store;
  store.threads = threadCount(options.threads);
  store.dumpFolder = options.dumpFolder;
  return store;
}

} // namespace

BucketCompiler::BucketCompiler(std::string arch, const MeasureOptions &options)
    : arch_(std::move(arch)), threads_(threadCount(options.threads)),
      store_(openNvrtcCompiler, storeOptions(options)) {}

std::vector<CompiledKernel> BucketCompiler::compile(const std::vector<BucketJob *> &jobs) {
  std::vector<CompileRequest> requests;
  std::vector<size_t> owners;
  for (size_t i = 0; i < jobs.size(); ++i) {
    if (jobs[i]->result.outcome != Outcome::Predicted)
      continue;
    try {
      requests.push_back({jobs[i]->plan->header().name, sourceText(*jobs[i]), arch_});
      owners.push_back(i);
    } catch (const std::exception &problem) {
      setFailed(*jobs[i], problem);
    }
  }
  std::vector<CompiledKernel> kernels(jobs.size());
  try {
    std::vector<CompiledKernel> compiled = store_.compileAll(requests);
    for (size_t k = 0; k < owners.size(); ++k)
      kernels[owners[k]] = std::move(compiled[k]);
  } catch (const std::exception &) {
    // Compile one by one to find the kernel that fails; the others are in the store already.
    for (size_t k = 0; k < owners.size(); ++k)
      try {
        kernels[owners[k]] = store_.compileAll({requests[k]}).front();
      } catch (const std::exception &problem) {
        setFailed(*jobs[owners[k]], problem);
      }
  }
  for (size_t i = 0; i < jobs.size(); ++i)
    for (const ResourceUsage &usage : kernels[i].usage) { // two for a split sum
      BucketResult &result = jobs[i]->result;
      result.registers = std::max(result.registers, usage.registers);
      result.spillBytes = std::max(result.spillBytes, usage.spillStoreBytes);
    }
  return kernels;
}

} // namespace mpf::bench
