#include "runtime/execute/compiled/compiled_kernels.h"

#include "dsl/support/error.h"
#include "dsl/support/number_text.h"
#include "dsl/support/system/memory_limits.h"
#include "dsl/support/system/thread_count.h"
#include "runtime/compile/cpp_compiler.h"
#include "runtime/compile/kernel_store.h"
#include "runtime/execute/compiled/choose_compiled.h"

#include <algorithm>

namespace mpf {

namespace {

/// On one line: what failed, and the first thing that the compiler said.
std::string shortened(const std::string &text) {
  const size_t end = text.find('\n');
  if (end == std::string::npos)
    return text;
  const size_t next = text.find('\n', end + 1);
  return text.substr(0, end) + ' ' + text.substr(end + 1, next - std::min(next, end + 1));
}

DynamicLibrary loadCompiled(const CompileOutcome &outcome, const std::string &name) {
  if (outcome.problem)
    std::rethrow_exception(outcome.problem);
  DynamicLibrary library = DynamicLibrary::fromImage(outcome.kernel.cubin);
  if (library.symbol(name.c_str()) == nullptr)
    fail(ErrorKind::Device, "{} is not in what was compiled", name);
  return library;
}

/// The system's compiler with one kernel: 60 to 200 MiB, and what tells its version.
constexpr uint64_t kCompilerBytes = uint64_t{200} << 20;
constexpr uint64_t kVersionBytes = uint64_t{48} << 20;

/// What the compilers may take together: they are processes of their own, with addresses of their
/// own, but in the same machine and control groups. The tables are not touched yet.
uint64_t leftForCompilers(const Bundle &bundle) {
  const uint64_t tables = saturatingAdd(bundle.inputArenaBytes, bundle.workArenaBytes);
  const uint64_t available = memoryLimits().availableBytes;
  return available - std::min(available, tables);
}

} // namespace

CompiledKernels::CompiledKernels(const Bundle &bundle, const CompiledKernelOptions &options) {
  const std::vector<CompiledChoice> candidates = chooseCompiled(bundle, options.expectedRuns);
  if (candidates.empty())
    return;
  const uint64_t left = leftForCompilers(bundle);
  if (left < kVersionBytes) {
    failed_ = candidates.size();
    note_ = fmt::format("{} of memory are left, too little to ask a compiler", formatBytes(left));
    return;
  }
  std::unique_ptr<Compiler> compiler;
  try {
    compiler = openCppCompiler();
  } catch (const Error &problem) {
    failed_ = candidates.size();
    note_ = shortened(problem.what());
    return;
  }
  KernelStoreOptions storeOptions;
  storeOptions.forbidCompiling = options.forbidCompiling;
  storeOptions.threads = static_cast<unsigned>(
      std::clamp<uint64_t>(left / kCompilerBytes, 1, threadCount(options.threads)));
  if (left < kCompilerBytes)
    storeOptions.noCompilingBecause =
        fmt::format("{} of memory are left, too little for a compiler", formatBytes(left));
  storeOptions.cacheFolder = options.cacheFolder;
  storeOptions.kind = CacheKind::Object;
  KernelStore store([&] { return std::move(compiler); }, storeOptions);
  std::vector<CompileRequest> requests;
  const std::string arch = hostArch();
  for (const CompiledChoice &candidate : candidates)
    requests.push_back({candidate.name, candidate.source, arch});
  kernels_.resize(bundle.operations.size());
  const std::vector<CompileOutcome> outcomes = store.compileEach(requests);
  for (size_t i = 0; i < candidates.size(); ++i) {
    const std::string &name = candidates[i].name;
    try {
      libraries_.push_back(loadCompiled(outcomes[i], name));
    } catch (const Error &problem) {
      if (options.forbidCompiling || problem.kind() != ErrorKind::Device)
        throw;
      if (!outcomes[i].problem) // it was compiled, and cannot be loaded
        store.discard(requests[i]);
      if (failed_++ == 0)
        note_ = shortened(problem.what());
      continue;
    }
    void *function = libraries_.back().symbol(name.c_str());
    for (const size_t operation : candidates[i].operations)
      kernels_[operation] = {function, candidates[i].pieces};
  }
}

} // namespace mpf
