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

/// By loop of a sliced program: how often its operations run in one run.
std::vector<double> turnsOf(const Bundle &bundle) {
  std::vector<double> turns{1};
  for (uint32_t loop = 1; loop <= bundle.loops.count(); ++loop)
    turns.push_back(turns[bundle.loops.parent(loop)] *
                    bundle.variables[bundle.sliced[loop - 1].index()].extent);
  return turns;
}

std::vector<OwnCandidate> findCandidates(const Bundle &bundle, TileTarget tile,
                                         double expectedRuns) {
  constexpr double kMostShared = 16; // operations of one shape that pay together
  constexpr double kLeastRatio = 1.25;
  constexpr double kSlowestUs = 0.005; // of one operand and address, about
  tile.threads = 1;
  const bool all = std::isinf(expectedRuns);
  const std::vector<double> turns = turnsOf(bundle);
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
    const double builtInUs = builtInTimeNs(prepared, bundle.type) * 1e-3;
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

std::string firstLine(const std::string &text) { return text.substr(0, text.find('\n')); }

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
    note_ = firstLine(problem.what());
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
  std::vector<Kernel> kernels(bundle.operations.size());
  try {
    const std::vector<CompiledKernel> images = store.compileAll(requests);
    for (size_t i = 0; i < candidates.size(); ++i) {
      libraries_.push_back(DynamicLibrary::fromImage(images[i].cubin));
      void *function = libraries_.back().symbol(candidates[i].text.name.c_str());
      if (function == nullptr)
        fail(ErrorKind::Device, "{} is not in what was compiled", candidates[i].text.name);
      for (const size_t operation : candidates[i].operations)
        kernels[operation] = {function, candidates[i].pieces};
    }
  } catch (const Error &problem) {
    if (options.forbidCompiling || problem.kind() != ErrorKind::Device)
      throw;
    libraries_.clear();
    note_ = firstLine(problem.what());
    return;
  }
  kernels_ = std::move(kernels);
}

} // namespace mpf
