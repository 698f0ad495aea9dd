#include "runtime/execute/own/own_kernels.h"

#include "dsl/support/error.h"
#include "runtime/compile/cpp_compiler.h"
#include "runtime/compile/kernel_store.h"
#include "runtime/execute/own/own_cost.h"
#include "runtime/execute/own/own_text.h"

#include <cmath>
#include <map>

namespace mpf {

namespace {

/// A kernel and the operations that share it.
struct OwnCandidate {
  OwnText text;
  uint64_t pieces = 0;
  double gainUs = 0; ///< over all runs to be expected
  std::vector<size_t> operations;
};

std::vector<OwnCandidate> findCandidates(const Bundle &bundle, TileTarget tile,
                                         double expectedRuns) {
  constexpr double kMostShared = 16; // operations of one shape that pay together
  constexpr double kLeastRatio = 1.1;
  constexpr double kSlowestUs = 0.005; // of one operand and address, about
  tile.threads = 1;
  const bool all = std::isinf(expectedRuns);
  const std::vector<double> turns = bundle.loopRuns();
  std::map<std::string, size_t> known;
  std::vector<OwnCandidate> candidates;
  for (size_t i = 0; i < bundle.operations.size(); ++i) {
    if (!mayHaveOwn(bundle, i))
      continue;
    const BundleOperation &operation = bundle.operations[i];
    const double runs = turns[operation.loop] * expectedRuns;
    double loads = static_cast<double>(operation.operands.size());
    for (const BundleDigit &digit : operation.digits)
      loads *= static_cast<double>(digit.extent);
    if (!all && loads * kSlowestUs * runs < kOwnCompileUs / kMostShared)
      continue;
    const CpuOperation prepared = prepareOperation(operation, bundle.logInputs, tile);
    const double builtInUs = builtInTimeNs(prepared) * 1e-3;
    const OwnPlan plan = planOwn(prepared, bundle.type);
    // Predictions err: a gain that is small may be none.
    const double gainUs = builtInUs - kLeastRatio * plan.timeNs * 1e-3;
    if (!all && gainUs <= 0)
      continue;
    OwnText text = writeOwnText(plan);
    const auto [at, isNew] = known.try_emplace(text.name, candidates.size());
    if (isNew)
      candidates.push_back({std::move(text), plan.pieceCount(), 0, {}});
    candidates[at->second].gainUs += all ? kOwnCompileUs : gainUs * runs;
    candidates[at->second].operations.push_back(i);
  }
  std::erase_if(candidates,
                [](const OwnCandidate &candidate) { return candidate.gainUs < kOwnCompileUs; });
  return candidates;
}

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

bool mayHaveOwn(const Bundle &bundle, size_t index) {
  return !isWholeType(bundle.type) && !bundle.forcedLog && !bundle.operations[index].accumulates;
}

OwnKernels::OwnKernels(const Bundle &bundle, TileTarget tile, const OwnKernelOptions &options) {
  if (options.expectedRuns <= 0)
    return;
  const std::vector<OwnCandidate> candidates = findCandidates(bundle, tile, options.expectedRuns);
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
  for (const OwnCandidate &candidate : candidates)
    requests.push_back({candidate.text.name, ownSource(candidate.text), arch});
  kernels_.resize(bundle.operations.size());
  const std::vector<CompileOutcome> outcomes = store.compileEach(requests);
  for (size_t i = 0; i < candidates.size(); ++i) {
    const std::string &name = candidates[i].text.name;
    try {
      libraries_.push_back(loadOwn(outcomes[i], name));
    } catch (const Error &problem) {
      if (options.forbidCompiling || problem.kind() != ErrorKind::Device)
        throw;
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
