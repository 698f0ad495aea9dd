#include "runtime/execute/compiled/load_texts.h"

#include "dsl/support/check.h"
#include "dsl/support/counts.h"
#include "dsl/support/number_text.h"
#include "dsl/support/system/memory_limits.h"
#include "dsl/support/system/thread_count.h"
#include "runtime/compile/kernel_store.h"

#include <algorithm>

namespace mpf {

namespace {

/// Returns one line: the failure, and the first line of the compiler's messages.
std::string shortened(const std::string &text) {
  const size_t end = text.find('\n');
  if (end == std::string::npos)
    return text;
  const size_t next = text.find('\n', end + 1);
  return text.substr(0, end) + ' ' + text.substr(end + 1, next - std::min(next, end + 1));
}

DynamicLibrary loadCompiled(const CompileOutcome &outcome, const std::string &symbol) {
  if (outcome.problem)
    std::rethrow_exception(outcome.problem);
  DynamicLibrary library = DynamicLibrary::fromImage(outcome.kernel.cubin);
  if (library.symbol(symbol.c_str()) == nullptr)
    fail(ErrorKind::Device, "{} is not in what was compiled", symbol);
  return library;
}

/// Memory of the system's compiler: 60 to 200 MiB for one kernel, less to print its version.
constexpr uint64_t kCompilerBytes = uint64_t{200} << 20;
constexpr uint64_t kVersionBytes = uint64_t{48} << 20;

/// Returns the memory for all compilers together. They are separate processes with separate address
/// spaces, but on this machine and in its control groups. The tables are not touched yet.
uint64_t leftForCompilers(uint64_t tableBytes) {
  const uint64_t available = memoryLimits().availableBytes;
  return available - std::min(available, tableBytes);
}

} // namespace

LoadedTexts loadTexts(std::span<const TextToLoad> texts, const CompiledKernelOptions &options,
                      uint64_t tableBytes, CppEffort effort) {
  LoadedTexts loaded;
  loaded.libraries.resize(texts.size());
  if (texts.empty())
    return loaded;
  const uint64_t left = leftForCompilers(tableBytes);
  if (left < kVersionBytes) {
    loaded.failed = texts.size();
    loaded.note =
        fmt::format("{} of memory are left, too little to ask a compiler", formatBytes(left));
    return loaded;
  }
  std::unique_ptr<Compiler> compiler;
  try {
    compiler = openCppCompiler(effort);
  } catch (const Error &problem) {
    loaded.failed = texts.size();
    loaded.note = shortened(problem.what());
    return loaded;
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
  for (const TextToLoad &text : texts)
    requests.push_back({text.name, text.source, arch});
  const std::vector<CompileOutcome> outcomes = store.compileEach(requests);
  for (size_t i = 0; i < texts.size(); ++i) {
    try {
      loaded.libraries[i] = loadCompiled(outcomes[i], texts[i].symbol);
    } catch (const Error &problem) {
      if (options.forbidCompiling || problem.kind() != ErrorKind::Device)
        throw;
      if (!outcomes[i].problem) // it was compiled but cannot be loaded
        store.discard(requests[i]);
      if (loaded.failed++ == 0)
        loaded.note = shortened(problem.what());
    }
  }
  return loaded;
}

std::string compiledCountText(size_t compiled, size_t failed, const std::string &note) {
  std::string text = compiled == 0 ? "" : fmt::format(", {} compiled", compiled);
  if (failed != 0)
    text += fmt::format(", {} not compiled: {}", failed, note);
  return text;
}

} // namespace mpf
