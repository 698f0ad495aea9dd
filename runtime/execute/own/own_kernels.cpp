#include "runtime/execute/own/own_kernels.h"

#include "dsl/support/error.h"
#include "runtime/compile/cpp_compiler.h"
#include "runtime/compile/kernel_store.h"
#include "runtime/execute/own/choose_own.h"

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

DynamicLibrary loadOwn(const CompileOutcome &outcome, const std::string &name) {
  if (outcome.problem)
    std::rethrow_exception(outcome.problem);
  DynamicLibrary library = DynamicLibrary::fromImage(outcome.kernel.cubin);
  if (library.symbol(name.c_str()) == nullptr)
    fail(ErrorKind::Device, "{} is not in what was compiled", name);
  return library;
}

} // namespace

OwnKernels::OwnKernels(const Bundle &bundle, const OwnKernelOptions &options) {
  const std::vector<OwnChoice> candidates = chooseOwn(bundle, options.expectedRuns);
  if (candidates.empty())
    return;
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
  storeOptions.threads = options.threads;
  storeOptions.cacheFolder = options.cacheFolder;
  storeOptions.kind = CacheKind::Object;
  KernelStore store([&] { return std::move(compiler); }, storeOptions);
  std::vector<CompileRequest> requests;
  const std::string arch = hostArch();
  for (const OwnChoice &candidate : candidates)
    requests.push_back({candidate.name, candidate.source, arch});
  kernels_.resize(bundle.operations.size());
  const std::vector<CompileOutcome> outcomes = store.compileEach(requests);
  for (size_t i = 0; i < candidates.size(); ++i) {
    const std::string &name = candidates[i].name;
    try {
      libraries_.push_back(loadOwn(outcomes[i], name));
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
